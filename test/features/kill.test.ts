import { expect, test } from 'vitest';
import { changeContacts } from '../../src/features/contacts/operations.ts';
import { ledgerOf } from '../../src/features/outgoing/ledger.ts';
import { requestFiles } from '../../src/features/request/operations.ts';
import { confirmDispatch, prepareDispatch } from '../../src/features/send/operations.ts';
import type { Actor } from '../../src/features/services.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import type { Account } from '../../src/sandbox/exchange/index.ts';
import { workerProcesses } from '../helpers/feature-workers.ts';
import { type FeaturesSetup, setUpFeatures, sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { crashTable } from '../programs/features-worker.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

interface Point {
  workspace: string;
  account: Account;
  call: number;
  where: 'before' | 'after';
}

/** How many calls a piece of work makes when nobody dies. */
async function countCalls(setup: FeaturesSetup, begin: (actor: Actor) => Promise<unknown>): Promise<number> {
  const actor = { workspace: 'T-count', person: 'U-anna' };
  await setup.join(actor.workspace);
  await begin(actor);
  setup.server.calls.length = 0;
  const runner = await setup.work();
  await setup.drained();
  await runner.stop(0);
  // Opening the account's page for a token is not a call of its own.
  return setup.server.calls.filter(({ operation }) => operation !== 'index').length;
}

/** A workspace for every call of a piece of work, before and after it. */
async function pointsFor(setup: FeaturesSetup, name: string, calls: number): Promise<Point[]> {
  const points: Point[] = [];
  for (let call = 1; call <= calls; call += 1) {
    for (const where of ['before', 'after'] as const) {
      const workspace = `T-${name}-${call}-${where}`;
      points.push({ workspace, account: await setup.join(workspace), call, where });
    }
  }
  return points;
}

/** Lets workers die at the points until all work is done, and tells at which calls they did. */
async function runThrough(setup: FeaturesSetup, points: readonly Point[]): Promise<string[]> {
  const { store, server, drained } = setup;
  await store.pool.query(crashTable);
  const crashes = Object.fromEntries(
    points.map(({ account, call, where }) => [`${server.url}/${account.user}`, { call, where }]),
  );
  const workers = await workerProcesses(programs, setup, { crashes });
  await workers.keepDuring(drained(150_000), 2);
  const { rows } = await store.pool.query<{ call: string }>('select call from crashes order by account');
  return rows.map(({ call }) => call);
}

test('kill -9 before and after every call of a dispatch: one right drop or none, and nothing is left that a next one would send', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, shelf, store, send, work } = setup;
  shelf.put('F1', 'plan.pdf', 'the plan');
  shelf.put('F2', 'map.png', 'the map');
  shelf.put('F3', 'next.txt', 'the next');
  const wish = {
    files: ['F1', 'F2'],
    receivers: ['carl@example.org', 'dora@example.net'],
    groups: [],
    message: 'Hi',
    timeToLive: 7,
  };
  const begin = async (actor: Actor) => {
    const { confirmation } = await prepareDispatch(services, actor, wish);
    return (await confirmDispatch(services, actor, confirmation)).id;
  };
  const points = await pointsFor(setup, 'dispatch', await countCalls(setup, begin));
  const ids = new Map<string, string>();
  for (const { workspace } of points) ids.set(workspace, await begin({ workspace, person: 'U-anna' }));
  const crashed = await runThrough(setup, points);
  expect(crashed).toHaveLength(points.length);
  const names = new Set(crashed.map((call) => call.split(' ')[2]));
  expect([...names].sort()).toEqual([
    'createDispatch',
    'listFiles',
    'readContacts',
    'readHistory',
    'setReceivers',
    'upload',
  ]);

  await work();
  for (const { workspace, account, call, where } of points) {
    const hint = `killed ${where} call ${call}`;
    const transfer = await ledgerOf(store).read(ids.get(workspace) ?? '');
    expect(account.drops.length, hint).toBe(transfer?.state === 'sent' ? 1 : 0);
    expect(['sent', 'failed'], hint).toContain(transfer?.state);
    for (const drop of account.drops) {
      expect(
        drop.files.map((file) => [file.name, file.sha256]),
        hint,
      ).toEqual([
        ['plan.pdf', sha256('the plan')],
        ['map.png', sha256('the map')],
      ]);
      expect(
        drop.receivers.map(({ email }) => email),
        hint,
      ).toEqual(['carl@example.org', 'dora@example.net']);
    }
    const next = await send({ workspace, person: 'U-bo' }, { files: ['F3'], receivers: ['emil@example.com'] });
    expect(next.state, hint).toBe('sent');
    expect(
      account.drops.at(-1)?.files.map(({ name }) => name),
      hint,
    ).toEqual(['next.txt']);
    expect(
      account.drops.at(-1)?.receivers.map(({ email }) => email),
      hint,
    ).toEqual(['emil@example.com']);
    expect({ uploads: account.uploads, receivers: account.receivers }, hint).toEqual({ uploads: [], receivers: [] });
  }
  process.stdout.write(`killed at ${crashed.length} points of a dispatch\n`);
}, 240_000);

test('kill -9 before and after every call of a contact edit: the edit is done, and the contacts are whole', async () => {
  const setup = await setUpFeatures(postgres);
  const { services } = setup;
  const begin = (actor: Actor) =>
    changeContacts(services, actor, { kind: 'edit', email: 'dora@example.net', fields: { number: '46711111111' } });
  const points = await pointsFor(setup, 'contacts', await countCalls(setup, begin));
  for (const { workspace } of points) await begin({ workspace, person: 'U-anna' });
  const crashed = await runThrough(setup, points);
  expect(crashed).toHaveLength(points.length);
  for (const { account, call, where } of points) {
    expect(account.contacts.local, `killed ${where} call ${call}`).toEqual([
      { email: 'carl@example.org', number: '46700000001', nick: 'Carl', groups: ['board'] },
      { email: 'dora@example.net', number: '46711111111', nick: 'Dora', groups: ['board'] },
      { email: 'emil@example.com', number: '46700000003', nick: 'Emil', groups: [] },
    ]);
  }
  process.stdout.write(`killed at ${crashed.length} points of a contact edit\n`);
}, 120_000);

test('kill -9 before and after every call of a request: access is given once or not at all, or told as unknown', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store } = setup;
  const begin = async (actor: Actor) => {
    await changeSettings(services, { ...actor, person: 'U-admin' }, { requests: true });
    const wish = { receivers: ['carl@example.org'], groups: [], message: 'Please send', timeToLive: 3 };
    return requestFiles(services, actor, wish);
  };
  const points = await pointsFor(setup, 'request', await countCalls(setup, begin));
  const ids = new Map<string, string>();
  for (const { workspace } of points) ids.set(workspace, await begin({ workspace, person: 'U-anna' }));
  const crashed = await runThrough(setup, points);
  expect(crashed).toHaveLength(points.length);
  for (const { workspace, account, call, where } of points) {
    const hint = `killed ${where} call ${call}`;
    const state = (await ledgerOf(store).read(ids.get(workspace) ?? ''))?.state;
    expect(['sent', 'unknown'], hint).toContain(state);
    if (state === 'sent')
      expect(
        account.uploadPages.map(({ contact }) => contact.email),
        hint,
      ).toEqual(['carl@example.org']);
    else expect(account.uploadPages, hint).toEqual([]);
    expect(account.receivers, hint).toEqual([]);
  }
  process.stdout.write(`killed at ${crashed.length} points of a request\n`);
}, 120_000);
