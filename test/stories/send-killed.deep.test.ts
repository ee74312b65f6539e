import { expect, test } from 'vitest';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { startBot } from '../helpers/bot-process.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { sendFile } from './send.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

/** Starts a bot in a separate process and directs Slack's deliveries to it. */
async function startBotProcess({ env, slack }: AppSetup) {
  const bot = await startBot(programs, 'all', env);
  slack.deliverTo(bot.url);
  return bot;
}

test('a transfer is finished by another process after kill -9 during an upload', async () => {
  const setup = await setUpApp(postgres, { hasExternalBot: true });
  const { bo, account, exchange, slack } = setup;
  slack.behaviour.timeoutMs = 60_000;
  const first = await startBotProcess(setup);
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await sendFile(bo, 'plan.pdf', 'carl');
  await slow.triggered;
  first.child.kill('SIGKILL');
  await first.ended;
  await startBotProcess(setup);
  await bo.sees('✅ Sent');
  await slow.release();
  expect(
    account.drops.map(({ files, receivers: recipients }) => [
      files.map(({ sha256: sum }) => sum),
      recipients.map(({ email }) => email),
    ]),
  ).toEqual([[[sha256('content of plan.pdf')], ['carl@example.org']]]);
}, 120_000);
