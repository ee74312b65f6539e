/** A bot worker that takes over from dead workers after half a second: `bot-worker.js <BotWorkerArgs as JSON>`. */

import { startPoller } from '../../src/features/inbox/poll/poller.ts';
import { featureJobs } from '../../src/features/jobs.ts';
import { startRunner } from '../../src/jobs/index.ts';
import { openBotServices } from './bot-services.ts';

export interface BotWorkerArgs {
  databaseUrl: string;
  /** Base64. */
  secretKey: string;
  slackApiUrl: string;
}

async function main(args: BotWorkerArgs): Promise<void> {
  const services = await openBotServices(args);
  const { log } = services;
  const handlers = featureJobs(services);
  await startRunner({ store: services.store, handlers, log, deadAfterSeconds: 0.5, reapEveryMs: 200, concurrency: 2 });
  startPoller(services, { everyMs: 200, tickMs: 30, leaseMs: 1_000 });
  process.stdout.write('working\n');
}

if (process.argv[2] !== undefined) await main(JSON.parse(process.argv[2]));
