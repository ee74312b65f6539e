/** A worker in its own process: `steps-worker.js <WorkerArgs as JSON>`. */
import { startRunner } from '../../src/jobs/index.ts';
import { openStore } from '../../src/store/index.ts';
import { stepsHandler, type WorkerArgs } from './steps.ts';

const { connection, secretKey, kind, crash }: WorkerArgs = JSON.parse(process.argv[2] ?? '');
const store = await openStore({ connection, secretKeys: [Buffer.from(secretKey, 'base64')] });
// This worker never declares other workers dead; the surviving worker does that.
await startRunner({ store, handlers: [stepsHandler(store, kind, crash)], deadAfterSeconds: 3600 });
