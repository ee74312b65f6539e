import { expect, test } from 'vitest';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendFile } from './send.ts';

const postgres = startTestPostgres();

test('three concurrent transfers in two processes each go once to their own recipients', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, acme, account, startAnotherBot } = setup;
  await startAnotherBot();
  const cleo = acme.addPerson({ name: 'Cleo' });
  const sends: [Person, string, string][] = [
    [anna, 'a.txt', 'carl'],
    [bo, 'b.txt', 'dora'],
    [cleo, 'c.txt', 'emil'],
  ];
  await Promise.all(sends.map(([person, name, to]) => sendFile(person, name, to)));
  for (const [person] of sends) await person.sees('✅ Sent');
  const sent = account.drops.map(({ files, receivers: recipients }) => [
    files.map(({ name, sha256: sum }) => [name, sum]),
    recipients.map(({ email }) => email?.split('@')[0]),
  ]);
  const expected = sends.map(([, name, to]) => [[[name, sha256(`content of ${name}`)]], [to]]);
  expect(sent.sort()).toEqual(expected.sort());
});
