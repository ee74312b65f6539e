import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectKind } from '../../src/features/account/connect/jobs.ts';
import { disconnect } from '../../src/features/account/leave/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { approve } from '../../src/features/transfers/approval/operations.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { setUpApp } from '../helpers/app.ts';
import { approvalSettings, policyWith } from '../helpers/approval-policy.ts';
import { addLegal, legalUser } from '../helpers/desks.ts';
import { apiKey } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { fillWorkspace } from '../helpers/filled-workspace.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendFile } from '../helpers/send-file.ts';
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

/** A transfer of Bo from Legal that waits for Dan's approval. Anna, Bo and Dan belong to Legal. */
async function setUpWaiting() {
  const app = await setUpInboxApp(postgres);
  const { acme, anna, bo, services } = app;
  const dan = acme.addPerson({ name: 'Dan' });
  const legal = await addLegal(app, [anna, bo, dan]);
  const as = (person: Person) => ({ ...legal.desk, person: person.id });
  const policy = policyWith({ every: true, approvers: [dan.id] });
  await changeSettings(services, as(anna), approvalSettings(policy));
  await bo.shares([{ name: 'deed.pdf', data: 'the deed' }], { in: 'Dropline' });
  const { reviewId: id } = await prepareSend(services, as(bo), {
    ...{ recipients: ['lena@law.example'], groups: [], files: [acme.files.at(-1)?.id ?? ''] },
    ...{ message: '', expiresAfter: 7 },
  });
  await confirmSend(services, as(bo), id);
  return { ...app, ...legal, dan, as, id };
}

test('a transfer that is approved after its sender left the desk is not sent', async () => {
  const { bo, dan, legal, legalAccount, services, as, id } = await setUpWaiting();
  legal.remove(bo);
  await approve(services, as(dan), id);
  const ended = await until(async () => {
    const transfer = await transfersIn(services.store).read(id);
    return transfer?.notifiedAt === undefined ? undefined : transfer;
  }, 'the end');
  expect(ended).toMatchObject({ state: 'failed', progress: { result: { code: 'not-allowed' } } });
  expect(legalAccount.drops).toEqual([]);
});

test('a person who left a desk can decide on nothing there, and reads no names', async () => {
  const { dan, legal, services, as, id } = await setUpWaiting();
  await dan.opens('Dropline');
  await dan.sees('Approval needed');
  await dan.clicks('Review');
  await dan.sees('From Legal');
  await dan.closes();
  legal.remove(dan);
  await expect(approve(services, as(dan), id)).rejects.toMatchObject({ code: 'not-allowed' });
  await dan.clicks('Review');
  await dan.sees('Transfer not found');
  expect(dan.screen()).not.toContain('lena');
});

test('a transfer that waits is cancelled when its desk is disconnected', async () => {
  const app = await setUpWaiting();
  const { anna, bo, acme, account, legalAccount, services, as } = app;
  await disconnect(services, as(anna));
  const isGone = async () => (await services.store.credentials.list(acme.id)).size === 1 || undefined;
  await until(isGone, 'Legal to go');
  expect(legalAccount.drops).toEqual([]);
  await sendFile(app, bo, 'plan.pdf');
  expect(account.drops).toHaveLength(1);
});

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

test('no command or job of a workspace with two desks asks for its only account', async () => {
  const app = await setUpInboxApp(postgres, { isSeparate: true });
  const { anna, bo, addItem, logged, untilIdle } = app;
  const { arrivesInLegal } = await addLegal(app, [anna, bo]);
  await arrivesInLegal(['deed.pdf']);
  await addItem('carl@example.org', ['open.pdf']);
  const names = [
    'send',
    'files',
    'inbox',
    'request',
    'contacts',
    'recipients',
    'history',
    'status',
    'settings',
    'audit',
  ];
  for (const person of [anna, bo]) {
    await person.opens('Dropline');
    await person.shares([{ name: `${person.name}.pdf`, data: 'x' }], { in: 'Dropline' });
    for (const channel of ['#inbox', '#legal', 'Dropline']) {
      for (const name of [...names, 'help', 'connect', 'disconnect']) {
        await person.types(`/drop ${name}`, { in: channel });
        await untilIdle();
        expect([name, channel, /went wrong|One moment/.test(person.screen())]).toEqual([name, channel, false]);
        await person.reloads();
      }
    }
  }
  await bo.opens('#legal');
  await bo.clicks('Download');
  await bo.opens('Dropline');
  await bo.sees('deed.pdf');
  await bo.types('/drop contacts add new@law.example', { in: '#legal' });
  await bo.opens('Dropline');
  await bo.sees('Adding new@law.example. Contact added.');
  await anna.types('/drop contacts', { in: '#legal' });
  await anna.sees('new@law.example');
  await anna.clicks('Export');
  await untilIdle();
  await anna.reloads();
  await anna.types('/drop audit', { in: 'Dropline' });
  await anna.clicks('Export as CSV');
  await untilIdle();
  await bo.usesShortcut('Request files');
  await untilIdle();
  await bo.reloads();
  await bo.usesShortcut('Send files securely');
  await bo.sees('From');
  await untilIdle();
  expect(logged()).not.toContain('SeveralAccountsError');
  expect(logged().match(/"level":50.*/g) ?? []).toEqual([]);
});

test('connecting a desk is repeated after a crash without a false failure', async () => {
  const app = await setUpInboxApp(postgres);
  const { anna, acme, bo, exchange, services } = app;
  const { legal } = await addLegal(app, [bo]);
  const draft = { baseUrl: exchange.url, username: legalUser, apiKey, inboxChannel: legal.id, desk: 'Legal' };
  const trials = services.store.collection({ kind: 'connect-draft', schema: z.unknown() });
  await trials.set(acme.id, { person: anna.id, draft }, { name: 'left' });
  await services.queue.add(connectKind, { workspace: acme.id, trial: 'left' });
  await anna.opens('Dropline');
  await anna.sees(`Connected to the file service as ${legalUser}.`);
  expect((await services.store.credentials.list(acme.id)).size).toBe(2);
});
