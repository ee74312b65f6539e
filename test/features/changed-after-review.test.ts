import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import { DroplineError } from '../../src/lib/errors.ts';
import type { Contact } from '../../src/sandbox/exchange/index.ts';
import { admin, anna, type FeaturesSetup, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

interface Change {
  what: string;
  apply(setup: FeaturesSetup): unknown;
  code: string;
  names: string[];
}

const changes: Change[] = [
  {
    what: 'a recipient is removed from the contacts',
    apply: ({ account }) => account.contacts.local.splice(0, 1),
    code: 'changed',
    names: ['carl@example.org'],
  },
  {
    what: "a recipient's number changes",
    apply: ({ account }) => Object.assign(account.contacts.local[0] ?? {}, { number: '46799999999' }),
    code: 'changed',
    names: ['carl@example.org'],
  },
  {
    what: 'a file is deleted at its source',
    apply: ({ sourceFiles }) => sourceFiles.files.delete('F1'),
    code: 'changed',
    names: ['plan.pdf'],
  },
  {
    what: 'Slack processes a file for too long',
    apply: ({ sourceFiles }) => {
      sourceFiles.inspect = () => Promise.reject(new DroplineError('busy', 'Try again.', { names: ['plan.pdf'] }));
    },
    code: 'file-failed',
    names: ['plan.pdf'],
  },
  {
    what: 'a file is edited to the same size',
    apply: ({ sourceFiles }) => sourceFiles.put('F1', 'plan.pdf', 'THE PLAN', { stamp: '2' }),
    code: 'changed',
    names: ['plan.pdf'],
  },
  {
    what: 'the permission to send is withdrawn',
    apply: ({ services }) =>
      changeSettings(services, admin, {
        senders: 'admins',
      }),
    code: 'not-allowed',
    names: [],
  },
  {
    what: 'the sender becomes a guest or leaves',
    apply: ({ roles }) => roles.set(anna.person, 'none'),
    code: 'not-allowed',
    names: [],
  },
  {
    what: "the recipient's domain is disallowed",
    apply: ({ services }) => changeSettings(services, admin, { recipientDomains: ['example.com'] }),
    code: 'not-allowed',
    names: ['carl@example.org'],
  },
  {
    what: 'the longest allowed expiry is shortened',
    apply: ({ services }) =>
      changeSettings(services, admin, { expiryUnit: 'days', expiryDefault: 1, expiryLongest: 3 }),
    code: 'invalid',
    names: [],
  },
];

test.each(changes)('no transfer is sent if $what after confirming', async ({ apply, code, names }) => {
  const setup = await setUpFeatures(postgres);
  const { services, sourceFiles, startWorker, untilEnded, account, server } = setup;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const draft = { files: ['F1'], recipients: ['carl@example.org'], groups: [], message: '', expiresAfter: 7 };
  const { reviewId } = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, reviewId);
  await apply(setup);
  server.calls.length = 0;
  await startWorker();
  const { state, progress } = await untilEnded(reviewId);
  expect({ state, code: progress.result?.code, names: progress.result?.names }).toEqual({
    state: 'failed',
    code,
    names,
  });
  expect(account.drops).toEqual([]);
  expect(server.calls.filter(({ operation }) => operation === 'upload')).toEqual([]);
});

test.each([
  ['a nickname or group changes', { nick: 'Charles', groups: [] }],
  ['a missing number becomes an empty one', { number: '' }],
])("if %s after confirming, the transfer isn't stopped", async (_, changed) => {
  const setup = await setUpFeatures(postgres);
  const { services, sourceFiles, startWorker, untilEnded, account } = setup;
  const contact: Partial<Contact> = account.contacts.local[0] ?? {};
  if ('number' in changed) delete contact.number;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const draft = { files: ['F1'], recipients: ['carl@example.org'], groups: [], message: '', expiresAfter: 7 };
  const { reviewId } = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, reviewId);
  Object.assign(contact, changed);
  await startWorker();
  expect(await untilEnded(reviewId)).toMatchObject({ state: 'sent' });
});

test("an address on both contact lists gets the number from the chosen group's list", async () => {
  const { account, startWorker, send, sourceFiles } = await setUpFeatures(postgres);
  account.contacts.global = [{ email: 'carl@example.org', number: '46799999999', groups: ['team'] }];
  await startWorker();
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  expect(await send(anna, { files: ['F1'], groups: ['team'] })).toMatchObject({ state: 'sent' });
  expect(await send(anna, { files: ['F1'], groups: ['board'] })).toMatchObject({ state: 'sent' });
  const numbers = account.drops.map(({ receivers: recipients }) => recipients.map(({ number }) => number));
  expect(numbers).toEqual([['46799999999'], ['46700000001', '46700000002']]);
});
