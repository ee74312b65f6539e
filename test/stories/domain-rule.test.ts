import { expect, test } from 'vitest';
import { recipientSuggestions } from '../../src/features/contacts/list/suggest.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('contacts outside the allowed domains are suggested after the others, with a note', async () => {
  const { anna, bo, acme, services } = await setUpApp(postgres);
  const actor = { workspace: acme.id, person: bo.id, reference: 'r' };
  const suggested = async () => {
    const found = await recipientSuggestions(services, { actor, view: undefined }, '');
    const options = 'option_groups' in found ? found.option_groups.flatMap((group) => group.options) : found.options;
    return options.map(({ text, description }) => [text.text, description?.text]);
  };
  expect(await suggested()).toEqual([
    ['carl@example.org (Carl)', 'Mobile 46700000001'],
    ['dora@example.net (Dora)', 'Mobile 46700000002'],
    ['emil@example.com (Emil)', 'Mobile 46700000003'],
    ['board', '2 members'],
  ]);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { recipientDomains: ['example.net'] });
  const mark = "Not allowed: your workspace doesn't send to this domain";
  expect(await suggested()).toEqual([
    ['dora@example.net (Dora)', 'Mobile 46700000002'],
    ['carl@example.org (Carl)', mark],
    ['emil@example.com (Emil)', mark],
    ['board', '2 members, 1 not allowed'],
  ]);
  await bo.types('/drop send', { in: '#general' });
  await expect(bo.picks('To', 'new@example.org')).rejects.toThrow('No option');
  await bo.picks('To', 'new@example.net');
  await bo.sees('Email: new@example.net');
});
