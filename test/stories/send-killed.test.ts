import { expect, test } from 'vitest';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { type Programs, usePrograms } from '../helpers/program.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

/** A bot in a process of its own, ready to be asked. */
async function startBot({ env, slack }: AppSetup, { run }: Programs) {
  const bot = run('src/main.ts', ['all'], env);
  for (;;) {
    const line = JSON.parse(await bot.line());
    if (line.msg !== 'ready') continue;
    slack.deliverTo(`http://127.0.0.1:${line.port}`);
    return bot;
  }
}

async function send(person: Person, name: string, to: string): Promise<void> {
  await person.opens('Dropline');
  await person.shares([{ name, data: `content of ${name}` }], { in: 'Dropline' });
  await person.sees('Put aside:');
  await person.types('/drop send', { in: 'Dropline' });
  await person.picks('To', to);
  await person.submits('Check before sending');
  await person.submits('Send 1 file to 1 person');
  await person.sees('It is on its way.');
  await person.closes();
}

test('kill -9 of the bot in the middle of an upload: another goes on, and the card ends in the truth', async () => {
  const setup = await setUpApp(postgres, { runsElsewhere: true });
  const { bo, account, exchange, slack } = setup;
  slack.behaviour.patienceMs = 60_000;
  const first = await startBot(setup, programs);
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await send(bo, 'plan.pdf', 'carl');
  await slow.struck;
  first.child.kill('SIGKILL');
  await first.ended;
  await startBot(setup, programs);
  await bo.sees('✅ Sent');
  await slow.release();
  expect(
    account.drops.map(({ files, receivers }) => [
      files.map(({ sha256: sum }) => sum),
      receivers.map(({ email }) => email),
    ]),
  ).toEqual([[[sha256('content of plan.pdf')], ['carl@example.org']]]);
}, 120_000);

test('three people send at once, from two processes: each drop once, with its own files to its own receivers', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, acme, account, another } = setup;
  await another();
  const cleo = acme.addPerson({ name: 'Cleo' });
  const all: [Person, string, string][] = [
    [anna, 'a.txt', 'carl'],
    [bo, 'b.txt', 'dora'],
    [cleo, 'c.txt', 'emil'],
  ];
  await Promise.all(all.map(([person, name, to]) => send(person, name, to)));
  for (const [person] of all) await person.sees('✅ Sent');
  const sent = account.drops.map(({ files, receivers }) => [
    files.map(({ name, sha256: sum }) => [name, sum]),
    receivers.map(({ email }) => email?.split('@')[0]),
  ]);
  const wanted = all.map(([, name, to]) => [[[name, sha256(`content of ${name}`)]], [to]]);
  expect(sent.sort()).toEqual(wanted.sort());
});
