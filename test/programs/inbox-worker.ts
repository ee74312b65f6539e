/** Polls and announces in a process of its own: `inbox-worker.js <InboxWorkerArgs as JSON>`. Ends by SIGTERM, or not. */
import { startInboxWorker } from './inbox.ts';

const worker = await startInboxWorker(JSON.parse(process.argv[2] ?? ''));
process.once('SIGTERM', () => worker.stop());
process.stdout.write('working\n');
