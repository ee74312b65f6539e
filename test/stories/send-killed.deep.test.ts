import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { killHard, startBotFor } from '../helpers/bot-process.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { sendFile } from './send.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('a transfer is finished by another process after kill -9 during an upload', async () => {
  const setup = await setUpApp(postgres, { hasExternalBot: true });
  const { bo, account, exchange, slack } = setup;
  slack.behaviour.timeoutMs = 60_000;
  const first = await startBotFor(programs, setup);
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await sendFile(bo, 'plan.pdf', 'carl');
  await slow.triggered;
  await killHard(first);
  await startBotFor(programs, setup);
  await bo.sees('✅ Sent');
  await slow.release();
  expect(
    account.drops.map(({ files, receivers: recipients }) => [
      files.map(({ sha256: sum }) => sum),
      recipients.map(({ email }) => email),
    ]),
  ).toEqual([[[sha256('content of plan.pdf')], ['carl@example.org']]]);
}, 120_000);
