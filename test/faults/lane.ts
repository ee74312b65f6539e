import { onTestFinished } from 'vitest';
import { type ScannerServer, startScannerServer } from '../../src/sandbox/scanner.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { type Bots, startBots } from './bots.ts';
import { type InterruptiblePostgres, startInterruptiblePostgres } from './database.ts';

/** A complete deployment between a simulated Slack and the reference service. It runs one seed after the other. */
export interface Lane extends AppSetup {
  postgres: InterruptiblePostgres;
  bots: Bots;
  scanner: ScannerServer;
  /** Sets how far the service's clock differs from the real time. */
  setClockOffset(ms: number): void;
}

/** @param maxAgeMs how long who is in a channel is cached. With a short time, Slack's rate limit delays clicks. */
export async function openLane(script: string, maxAgeMs = 60_000): Promise<Lane> {
  const postgres = await startInterruptiblePostgres();
  let offset = 0;
  const app = await setUpApp(postgres, {
    hasExternalBot: true,
    connected: false,
    exchange: { clock: () => Date.now() + offset },
  });
  const scanner = await startScannerServer();
  onTestFinished(() => scanner.close());
  const bots = await startBots(script, {
    ...app.env,
    POLL_SECONDS: '5',
    UNDO_MS: '400',
    MEMBERS_MAX_AGE_MS: String(maxAgeMs),
    CLAMD_HOST: `127.0.0.1:${scanner.port}`,
  });
  onTestFinished(async () => void (await bots.stop()));
  app.slack.deliverTo(bots.url);
  app.slack.behaviour.timeoutMs = 3_000;
  // Unlike stories, these tests use Slack's real time limits, because exceeding them is one of the faults.
  app.slack.behaviour.ackMs = 3_000;
  app.slack.behaviour.triggerMs = 3_000;
  // Shorter than Slack's delays of up to five minutes.
  app.slack.behaviour.retryDelaysMs = [0, 300, 1_000];
  return {
    ...app,
    postgres,
    bots,
    scanner,
    setClockOffset(ms) {
      offset = ms;
    },
  };
}
