import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { assignToRequests, type OpenRequest, openRequests } from '../../src/features/transfers/answers/operations.ts';
import { confirmRequest, prepareRequest } from '../../src/features/transfers/request/operations.ts';
import { apiKey, failureOf, user } from '../helpers/exchange.ts';
import { admin, anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { requestFiles } from '../helpers/requests.ts';

const postgres = startTestPostgres();
const draft = { recipients: ['carl@example.org'], groups: [], message: 'Please send the plans', expiresAfter: 3 };

test('people can request files only after an admin turns requests on', async () => {
  const { services } = await setUpFeatures(postgres);
  expect(await failureOf(requestFiles(services, anna, draft))).toMatchObject({ code: 'switched-off' });
  expect(await failureOf(changeSettings(services, anna, { requests: true }))).toMatchObject({ code: 'not-allowed' });
  await changeSettings(services, admin, { requests: true });
  expect(await requestFiles(services, anna, draft)).toMatch(/^[0-9a-f-]{36}$/);
});

test('only the chosen contacts get an upload page; afterwards recipients are cleared', async () => {
  const { services, account, startWorker, untilEnded, server } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  await startWorker();
  const id = await requestFiles(services, anna, { ...draft, groups: ['board'] });
  expect(await untilEnded(id)).toMatchObject({ state: 'sent', kind: 'request', person: anna.person });
  expect(account.uploadPages.map(({ contact, message }) => [contact.email, message])).toEqual([
    ['carl@example.org', draft.message],
    ['dora@example.net', draft.message],
  ]);
  expect(account.receivers).toEqual([]);
  expect(server.calls.filter(({ operation }) => operation === 'givedrop')).toHaveLength(1);
});

test('a request, and one of several reviews in a modal, can be confirmed once', async () => {
  const { services, account, startWorker, untilEnded } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  const { reviewId: id } = await prepareRequest(services, anna, draft);
  expect(await failureOf(confirmRequest(services, bo, id))).toMatchObject({ code: 'not-found' });
  expect(await confirmRequest(services, anna, id)).toMatchObject({ id });
  expect(await failureOf(confirmRequest(services, anna, id))).toMatchObject({ code: 'used' });
  const again = await prepareRequest(services, anna, draft);
  const third = await prepareRequest(services, anna, draft);
  await confirmRequest(services, anna, again.reviewId, { form: 'V1' });
  expect(await failureOf(confirmRequest(services, anna, third.reviewId, { form: 'V1' }))).toMatchObject({
    code: 'used',
  });
  await startWorker();
  await untilEnded(id);
  await untilEnded(again.reviewId);
  expect(account.uploadPages).toHaveLength(2);
});

test("if the service doesn't answer, a request counts as sent only if in the history", async () => {
  const { services, server, account, startWorker, untilEnded, store } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  await startWorker();
  server.addFault({ operation: 'givedrop', kind: 'reset-after' });
  expect(await untilEnded(await requestFiles(services, anna, draft))).toMatchObject({ state: 'sent' });
  server.addFault({ operation: 'givedrop', kind: 'reset-before' });
  expect(await untilEnded(await requestFiles(services, anna, { ...draft, message: 'Again' }))).toMatchObject({
    state: 'unknown',
  });
  expect(account.uploadPages).toHaveLength(1);
  expect((await store.pool.query('select from dropline.holds')).rows).toEqual([]);
});

test('a request fails if requests are off or its contact is removed when its job runs', async () => {
  const { services, account, startWorker, untilEnded } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  const first = await requestFiles(services, anna, draft);
  const second = await requestFiles(services, bo, { ...draft, recipients: ['dora@example.net'] });
  account.contacts.local.splice(1, 1);
  await changeSettings(services, admin, { requests: false });
  await startWorker();
  expect((await untilEnded(first)).progress.result?.code).toBe('switched-off');
  expect((await untilEnded(second)).progress.result).toMatchObject({ code: 'changed', names: ['dora@example.net'] });
  expect(account.uploadPages).toEqual([]);
});

test('an inbox item belongs to one request, several or none, depending on its sender', async () => {
  const { services, startWorker, untilEnded, server } = await setUpFeatures(postgres);
  const { account } = services.connectTo({ baseUrl: server.url, username: user, apiKey });
  await changeSettings(services, admin, { requests: true });
  await startWorker();
  await untilEnded(
    await requestFiles(services, anna, { ...draft, recipients: ['carl@example.org', 'dora@example.net'] }),
  );
  await untilEnded(await requestFiles(services, bo, { ...draft, recipients: ['dora@example.net'] }));
  const open = await openRequests(services, { workspace: 'T1', account });
  const matchFor = (sender: string | undefined) => {
    const { kind, requests } = assignToRequests({ sender, createdAt: undefined, foundAt: Date.now() }, open);
    return [kind, requests.map(({ person }) => person).sort()];
  };
  expect(matchFor('Carl@Example.org')).toEqual(['reply', [anna.person]]);
  expect(matchFor('dora@example.net')).toEqual(['several', [anna.person, bo.person]]);
  expect(matchFor('emil@example.com')).toEqual(['unrequested', []]);
  expect(matchFor(undefined)).toEqual(['unrequested', []]);
  expect(await openRequests(services, { workspace: 'T2', account })).toEqual([]);
});

test('after a request is repeated, the next upload belongs to the later one if active', () => {
  const first: OpenRequest = {
    id: 'first',
    person: anna.person,
    asked: new Set(['carl@example.org', 'dora@example.net']),
    location: undefined,
    askedAt: 1_000,
    expiresAt: undefined,
    answered: new Map(),
  };
  const again = (more: Partial<OpenRequest> = {}): OpenRequest[] => [
    {
      ...first,
      id: 'later',
      asked: new Set(['carl@example.org']),
      askedAt: 3_000,
      repeats: 'first',
      answered: new Map(),
      ...more,
    },
    { ...first, answered: new Map() },
  ];
  const answeredBy = (requests: OpenRequest[], foundAt: number, sender = 'carl@example.org') =>
    assignToRequests({ sender, createdAt: undefined, foundAt }, requests).requests.map(({ id }) => id);
  expect(answeredBy(again(), 2_000)).toEqual(['first']);
  const both = again();
  expect(answeredBy(both, 4_000)).toEqual(['later']);
  expect(answeredBy(both, 5_000)).toEqual([]);
  expect(answeredBy(both, 5_000, 'dora@example.net')).toEqual(['first']);
  expect(answeredBy(again({ expiresAt: 3 }), 4_000)).toEqual(['first']);
  const open = again({ checklist: 'complete' }).map((one): OpenRequest => ({ checklist: 'open', ...one }));
  expect(answeredBy(open, 4_000)).toEqual(['first']);
});
