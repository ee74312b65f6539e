import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/kinds/send/operations.ts';
import { admin, anna, type FeaturesSetup, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

interface Change {
  what: string;
  happens(setup: FeaturesSetup): unknown;
  code: string;
  names: string[];
}

const changes: Change[] = [
  {
    what: 'a recipient is removed from the contacts',
    happens: ({ account }) => account.contacts.local.splice(0, 1),
    code: 'changed',
    names: ['carl@example.org'],
  },
  {
    what: "a recipient's number changes",
    happens: ({ account }) => Object.assign(account.contacts.local[0] ?? {}, { number: '46799999999' }),
    code: 'changed',
    names: ['carl@example.org'],
  },
  {
    what: 'a file is deleted at its source',
    happens: ({ shelf }) => shelf.files.delete('F1'),
    code: 'changed',
    names: ['plan.pdf'],
  },
  {
    what: 'a file is edited to the same size',
    happens: ({ shelf }) => shelf.put('F1', 'plan.pdf', 'THE PLAN', { stamp: '2' }),
    code: 'changed',
    names: ['plan.pdf'],
  },
  {
    what: 'the permission to send is withdrawn',
    happens: ({ services }) =>
      changeSettings(services, admin, {
        may: { send: 'admins', request: 'everyone', download: 'everyone', contacts: 'everyone' },
      }),
    code: 'not-allowed',
    names: [],
  },
  {
    what: 'the sender becomes a guest or leaves',
    happens: ({ roles }) => roles.set(anna.person, 'none'),
    code: 'not-allowed',
    names: [],
  },
  {
    what: "the recipient's domain is disallowed",
    happens: ({ services }) => changeSettings(services, admin, { receiverDomains: ['example.com'] }),
    code: 'not-allowed',
    names: ['carl@example.org'],
  },
  {
    what: 'the longest lifetime is shortened',
    happens: ({ services }) => changeSettings(services, admin, { ttl: { unit: 'days', usual: 1, longest: 3 } }),
    code: 'invalid',
    names: [],
  },
];

test.each(changes)('nothing is sent if $what after confirming', async ({ happens, code, names }) => {
  const setup = await setUpFeatures(postgres);
  const { services, shelf, work, ended, account, server } = setup;
  shelf.put('F1', 'plan.pdf', 'the plan');
  const draft = { files: ['F1'], receivers: ['carl@example.org'], groups: [], message: '', timeToLive: 7 };
  const { confirmation } = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, confirmation);
  await happens(setup);
  server.calls.length = 0;
  await work();
  const { state, details } = await ended(confirmation);
  expect({ state, code: details?.result?.code, names: details?.result?.names }).toEqual({
    state: 'failed',
    code,
    names,
  });
  expect(account.drops).toEqual([]);
  expect(server.calls.filter(({ operation }) => operation === 'upload')).toEqual([]);
});

test('a nickname or group that changes after confirming does not matter', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, shelf, work, ended, account } = setup;
  shelf.put('F1', 'plan.pdf', 'the plan');
  const draft = { files: ['F1'], receivers: ['carl@example.org'], groups: [], message: '', timeToLive: 7 };
  const { confirmation } = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, confirmation);
  Object.assign(account.contacts.local[0] ?? {}, { nick: 'Charles', groups: [] });
  await work();
  expect(await ended(confirmation)).toMatchObject({ state: 'sent' });
});

test('an address on both lists with two numbers is sent to as confirmed', async () => {
  const { account, work, send, shelf } = await setUpFeatures(postgres);
  account.contacts.global = [{ email: 'carl@example.org', number: '46799999999', groups: ['team'] }];
  await work();
  shelf.put('F1', 'plan.pdf', 'the plan');
  expect(await send(anna, { files: ['F1'], groups: ['team'] })).toMatchObject({ state: 'sent' });
  expect(await send(anna, { files: ['F1'], groups: ['board'] })).toMatchObject({ state: 'sent' });
  const numbers = account.drops.map(({ receivers }) => receivers.map(({ number }) => number));
  expect(numbers).toEqual([['46799999999'], ['46700000001', '46700000002']]);
});
