import { expect, test } from 'vitest';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { checks, confirms, stages } from '../helpers/sending.ts';

const postgres = startTestPostgres();

async function send(person: Person, name: string, to: string): Promise<void> {
  await stages(person, [{ name, data: `content of ${name}` }]);
  await checks(person, { to });
  await confirms(person, 1);
}

test('three concurrent transfers in two processes each go once to their own recipients', async () => {
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
