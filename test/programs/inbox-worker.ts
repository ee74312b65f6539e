/** Polls and announces in its own process until SIGTERM: `inbox-worker.js <InboxWorkerArgs as JSON>`. */
import { startInboxWorker } from './inbox.ts';

const worker = await startInboxWorker(JSON.parse(process.argv[2] ?? ''));
process.once('SIGTERM', () => worker.stop());
process.stdout.write('working\n');
