import { expect, test } from 'vitest';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { startBot } from '../helpers/bot-process.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { checks, confirms, stages } from '../helpers/sending.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

/** A bot in a process of its own, which Slack delivers to. */
async function startHeard({ env, slack }: AppSetup) {
  const bot = await startBot(programs, 'all', env);
  slack.deliverTo(bot.url);
  return bot;
}

async function send(person: Person, name: string, to: string): Promise<void> {
  await stages(person, [{ name, data: `content of ${name}` }]);
  await checks(person, { to });
  await confirms(person, 1);
}

test('kill -9 of the bot in the middle of an upload: another goes on, and the card ends in the truth', async () => {
  const setup = await setUpApp(postgres, { runsElsewhere: true });
  const { bo, account, exchange, slack } = setup;
  slack.behaviour.patienceMs = 60_000;
  const first = await startHeard(setup);
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await send(bo, 'plan.pdf', 'carl');
  await slow.struck;
  first.child.kill('SIGKILL');
  await first.ended;
  await startHeard(setup);
  await bo.sees('✅ Sent');
  await slow.release();
  expect(
    account.drops.map(({ files, receivers }) => [
      files.map(({ sha256: sum }) => sum),
      receivers.map(({ email }) => email),
    ]),
  ).toEqual([[[sha256('content of plan.pdf')], ['carl@example.org']]]);
}, 120_000);
