import { expect } from 'vitest';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { type BotProcess, readiness, startBot } from '../helpers/bot-process.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import type { Programs } from '../helpers/program.ts';
import { createRandom } from '../helpers/seeded.ts';

export type Random = ReturnType<typeof createRandom>;

/** `FUZZ_SECONDS=600` sends inputs for ten minutes per boundary. `FUZZ_SEED=2` sends other inputs. */
const { FUZZ_SECONDS = '5', FUZZ_SEED = '1' } = process.env;
const durationMs = Number(FUZZ_SECONDS) * 1_000;

/** Allows time for the setup and the last inputs in addition to the fuzzing itself. */
export const timeoutMs = durationMs + 120_000;

/** Number of inputs that are sent at a time, unless a test says otherwise. */
export const concurrency = 8;
/** Stricter for longer runs, which should have the machine to themselves. */
const maxBlockedMs = process.env.FUZZ_SECONDS === undefined ? 2_000 : 200;
/** More than a bot uses under load (see test/README.md). */
const maxBytes = 400 * 1024 * 1024;

export interface WatchedApp extends AppSetup {
  bot: BotProcess;
}

/** Starts the bot in its own process, which reports how long it blocked its event loop and how much memory it uses. */
export async function setUpWatchedApp(postgres: TestPostgres, programs: Programs): Promise<WatchedApp> {
  const app = await setUpApp(postgres, { hasExternalBot: true });
  const env = { ...app.env, POLL_SECONDS: '5', PUBLIC_URL: 'https://dropline.example.com' };
  const bot = await startBot(programs, 'all', env, 'test/programs/watched-bot.ts');
  app.slack.deliverTo(bot.url);
  return { ...app, bot, url: bot.url };
}

/** @param lane index among the calls that run at the same time */
export type Send = (random: Random, lane: number) => Promise<unknown>;

/** Calls `send` concurrently, each time with another seed, until the time is over. Returns the number of calls. */
export async function repeat(send: Send, lanes = concurrency): Promise<number> {
  const end = performance.now() + durationMs;
  let count = 0;
  const sendUntilEnd = async (_: unknown, lane: number) => {
    while (performance.now() < end) {
      count += 1;
      await send(createRandom(Number(FUZZ_SEED) * 1_000_000 + count), lane);
    }
  };
  await Promise.all(Array.from({ length: lanes }, sendUntilEnd));
  return count;
}

/**
 * Fuzzes one boundary. After that, the bot must be ready and answer a command. It must not have logged errors, blocked
 * its event loop for long, or used much memory.
 *
 * @param lanes number of inputs that are sent at a time
 * @param canLogErrors true for requests signed by Slack: a used trigger or an unknown workspace is logged as an error
 */
export async function fuzz(
  { bot, anna }: WatchedApp,
  boundary: string,
  send: Send,
  { lanes = concurrency, canLogErrors = false } = {},
): Promise<void> {
  // Only what the bot prints from now on is checked.
  const printedBefore = bot.printed().length;
  const count = await repeat(send, lanes);
  // Without the log, what is left is the error that ended the bot.
  expect(bot.child.exitCode, bot.printed().replace(/^\{.*\n/gm, '')).toBeNull();
  expect((await readiness(bot.url)).status).toBe(200);
  await anna.opens('Dropline');
  await anna.types('/drop help');
  await anna.sees('/drop send');
  const lines = bot.printed().slice(printedBefore).split('\n').slice(1, -1);
  const figures = lines.filter((line) => line.startsWith('{"blockedMs"')).map((line) => JSON.parse(line));
  const blockedMs = Math.max(...figures.map((figure) => figure.blockedMs));
  const bytes = Math.max(...figures.map((figure) => figure.bytes));
  const text = `${count} inputs, event loop blocked for ${Math.round(blockedMs)} ms, ${Math.round(bytes / 1024 ** 2)} MiB`;
  process.stdout.write(`fuzzed ${boundary}: ${text}\n`);
  const errors = lines.filter((line) => line.startsWith('{"level":"error"'));
  if (!canLogErrors) expect(errors).toEqual([]);
  expect(blockedMs).toBeLessThan(maxBlockedMs);
  expect(bytes).toBeLessThan(maxBytes);
}
