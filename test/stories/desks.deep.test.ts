import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { apiKey } from '../helpers/exchange.ts';
import { fillWorkspace } from '../helpers/filled-workspace.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stateOf, tryAllForgeries } from './forged.ts';

const postgres = startTestPostgres();

/** What people are told about ids that aren't theirs. Ids of people, channels and files belong to the workspace. */
const unknownTexts = [
  'This file is no longer available',
  'This contact was changed or removed.',
  'Contact not found.',
  'Group not found',
  "isn't in your contacts. Choose again.",
  'Transfer not found',
  "Transfer not found in the service's history.",
  'This review has expired or was already confirmed.',
  'This review has expired.',
  'No transfer is blocked by unexpected files.',
  'Something else is on hold now.',
];

test("an admin who doesn't belong to a desk can't reach it by using its ids", async () => {
  const setup = await setUpApp(postgres, { connected: false, isWorking: false });
  const { acme, anna, account, slack, exchange } = setup;
  const inbox = acme.addChannel({ name: 'inbox', members: [anna, 'app'] });
  const ours = await fillWorkspace(setup, { workspace: acme, person: anna, channel: inbox, account }, 'plain');
  const cleo = acme.addPerson({ name: 'Cleo', role: 'admin' });
  const legal = acme.addChannel({ name: 'legal', kind: 'private', members: [cleo, 'app'] });
  const legalAccount = exchange.addAccount({ user: 'other@example.com', apiKey });
  const owner = { workspace: acme, person: cleo, channel: legal, account: legalAccount, desk: 'Legal' };
  const theirs = await fillWorkspace(setup, owner, 'secret');
  await slack.untilIdle();
  const draft = `draft:${acme.id} ${anna.id}`;
  const before = await stateOf(setup, draft);
  const isTried = ({ reply = '' }) => (unknownTexts.includes(reply) ? reply : undefined);
  expect(await tryAllForgeries(setup, anna, [theirs, ours], isTried)).toEqual([]);
  expect(await stateOf(setup, draft)).toEqual(before);
  const shown = slack.calls.filter((call) => JSON.stringify(call.arguments).includes(anna.id));
  expect(shown.filter((call) => JSON.stringify(call.arguments).includes('secret'))).toEqual([]);
});
