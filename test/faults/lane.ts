import { onTestFinished } from 'vitest';
import { type ScannerServer, startScannerServer } from '../../src/sandbox/scanner.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { type Bots, startBots } from './bots.ts';
import { type InterruptiblePostgres, startInterruptiblePostgres } from './database.ts';

/** A complete deployment between a simulated Slack and the reference service, used for one run after the other. */
export interface Lane extends AppSetup {
  postgres: InterruptiblePostgres;
  bots: Bots;
  scanner: ScannerServer;
  /** Moves the service's clock. */
  moveClock(ms: number): void;
}

export async function openLane(script: string): Promise<Lane> {
  const postgres = await startInterruptiblePostgres();
  let offset = 0;
  const app = await setUpApp(postgres, {
    hasExternalBot: true,
    connected: false,
    exchange: { clock: () => Date.now() + offset },
  });
  const scanner = await startScannerServer();
  onTestFinished(() => scanner.close());
  const bots = await startBots(script, { ...app.env, POLL_SECONDS: '5', CLAMD_HOST: `127.0.0.1:${scanner.port}` });
  onTestFinished(async () => void (await bots.stop()));
  app.slack.deliverTo(bots.url);
  app.slack.behaviour.timeoutMs = 3_000;
  // Slack's real limits, unlike in stories: exceeding them is one of the faults.
  app.slack.behaviour.ackMs = 3_000;
  app.slack.behaviour.triggerMs = 3_000;
  app.slack.behaviour.retryDelaysMs = [0, 300, 1_000];
  return {
    ...app,
    postgres,
    bots,
    scanner,
    moveClock(ms) {
      offset = ms;
    },
  };
}
