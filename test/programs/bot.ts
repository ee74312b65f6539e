/**
 * The bot as `main.js all` runs it, with the same environment variables but much shorter delays. A line `clock <ms>` on
 * stdin sets how far its clock is ahead of the real one.
 */
import { createInterface } from 'node:readline';
import { createSlackApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createExchange, createServiceAgent } from '../../src/exchange/index.ts';
import type { Timing } from '../../src/features/common/services.ts';
import { createContactCaches } from '../../src/features/contacts/list/operations.ts';
import { startPoller } from '../../src/features/inbox/poll/poller.ts';
import { featureJobs } from '../../src/features/jobs.ts';
import { startRunners } from '../../src/jobs/index.ts';
import { createClosers } from '../../src/lib/closers.ts';
import { createLog } from '../../src/lib/log.ts';
import { startChaining } from '../../src/process/chaining.ts';
import { listen } from '../../src/process/health.ts';
import { webRoutes } from '../../src/process/web.ts';
import { type OpenedServices, openServices } from '../../src/services.ts';

const timing: Timing = {
  reconcilePauseMs: 300,
  verifyPausesMs: [0, 30, 60],
  lateCheckPausesMs: [500, 2_000],
  contactsTtlMs: 0,
  gonePauseMs: 500,
  noChannelPauseMs: 500,
  channelCheckMs: 500,
  announceMs: 5_000,
  reminderSpreadMs: 0,
  healthMs: 1_000,
  stateCheckMs: 50,
  stallMs: 20_000,
  readerBytesPerSecond: 1_000,
  scanSlotMs: 20_000,
  shareCheckPausesMs: [20, 50, 100, 200, 400, 800, 1_500],
  connectionPauseMs: 0,
  batchMs: 500,
  longestUndoMs: Number(process.env.UNDO_MS ?? 0),
};

const limits = { answerMs: 1_500, idleMs: 1_500, callMs: 5_000 };

const scanLimits = { connectMs: 1_000, stallMs: 1_000, answerMs: 1_000 };

/** Moves this process's clock by `ms`, as if the machine's clock had been set. */
function moveClock(ms: number): void {
  const real = Date;
  globalThis.Date = class extends real {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(real.now() + ms);
      else super(...(args as [number]));
    }
    static override now = () => real.now() + ms;
  } as DateConstructor;
}

async function main(): Promise<void> {
  const config = readConfig('all');
  const log = createLog(config.logLevel);
  const closers = createClosers(log);
  const commands = createInterface({ input: process.stdin });
  const real = Date;
  commands.on('line', (line) => {
    globalThis.Date = real;
    moveClock(Number(line.split(' ')[1]));
  });
  closers.add(async () => commands.close());
  // stdin ends when the parent process dies.
  process.stdin.once('end', () => process.exit(1));

  const scan = config.scan && { ...config.scan, limits: scanLimits };
  const membersMaxAgeMs = Number(process.env.MEMBERS_MAX_AGE_MS ?? 0);
  const opened = await openServices(
    { ...config, slack: { ...config.slack, postEveryMs: 20, membersMaxAgeMs }, scan },
    log,
  );
  closers.add(opened.close);
  const dispatcher = createServiceAgent({ hosts: config.exchange.hosts });
  closers.add(() => dispatcher.close());
  const services: OpenedServices = {
    ...opened,
    connectTo: (login) => createExchange({ ...login, tokens: opened.store.tokens, dispatcher, log, limits }),
    timing,
    contactCaches: createContactCaches(timing),
  };
  const handlers = featureJobs(services);
  const { store } = services;
  const runner = await startRunners({
    store,
    log,
    handlers,
    slots: { long: 2, short: 2, posting: 2 },
    deadAfterSeconds: 0.5,
    reapEveryMs: 600,
  });
  closers.add(() => runner.stop(2_000));
  const poller = startPoller(services, { everyMs: 600, tickMs: 200, leaseMs: 2_000 });
  closers.add(poller.stop);
  closers.add(startChaining(services, { everyMs: 500 }));
  const slack = createSlackApp(services, config.slack);
  const server = await listen(webRoutes(services, runner, slack), config.port, config.host);
  closers.add(() => slack.drain(15_000));
  closers.add(server.close);
  process.once('SIGTERM', () => void closers.closeAll());
  log.info({ port: server.port }, 'ready');
}

await main();
