/**
 * Polls and announces in its own process: `inbox-worker.js <InboxWorkerArgs as JSON>`. Ends on SIGTERM or by a kill.
 */
import { startInboxWorker } from './inbox.ts';

const worker = await startInboxWorker(JSON.parse(process.argv[2] ?? ''));
process.once('SIGTERM', () => worker.stop());
process.stdout.write('working\n');
