import { expect } from 'vitest';
import type { Actor } from '../../src/features/common/services.ts';
import { changeContacts } from '../../src/features/contacts/edit/operations.ts';
import { parseFields } from '../../src/features/contacts/list/fields.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { approve } from '../../src/features/transfers/approval/operations.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import type { Account } from '../../src/sandbox/exchange/index.ts';
import { createWorkerProcesses } from '../helpers/feature-workers.ts';
import { type FeaturesSetup, setUpFeatures, sha256 } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import type { Programs } from '../helpers/program.ts';
import { requestFiles } from '../helpers/requests.ts';
import { createCrashesSql } from '../programs/features-worker.ts';
import { policyWith, saveApproval } from './approval.ts';

/** Started once per test file. */
export interface Fixtures {
  postgres: TestPostgres;
  programs: Programs;
}

/** Kills the worker before or after this call. */
export interface Kill {
  call: string | number;
  where: 'before' | 'after';
}

interface KillPoint extends Kill {
  workspace: string;
  account: Account;
}

/** Counts the calls that the work makes without a kill. */
async function countCalls(setup: FeaturesSetup, begin: (actor: Actor) => Promise<unknown>): Promise<number> {
  const actor = { workspace: 'T-count', person: 'U-anna' };
  await setup.addWorkspace(actor.workspace);
  await begin(actor);
  setup.server.calls.length = 0;
  const runner = await setup.startWorker();
  await setup.untilDrained();
  await runner.stop(0);
  // Fetching the account's page for a token does not count as a call.
  return setup.server.calls.filter(({ operation }) => operation !== 'index').length;
}

/** Creates one workspace per kill. Without `kills`, the worker is killed before and after every call of the work. */
async function createKillPoints(
  setup: FeaturesSetup,
  name: string,
  begin: (actor: Actor) => Promise<unknown>,
  kills?: readonly Kill[],
): Promise<KillPoint[]> {
  const points: KillPoint[] = [];
  for (const { call, where } of kills ?? (await listAllKills(setup, begin))) {
    const workspace = `T-${name}-${call}-${where}`;
    points.push({ workspace, account: await setup.addWorkspace(workspace), call, where });
  }
  return points;
}

async function listAllKills(setup: FeaturesSetup, begin: (actor: Actor) => Promise<unknown>): Promise<Kill[]> {
  const calls = Array.from({ length: await countCalls(setup, begin) }, (_, index) => index + 1);
  return calls.flatMap((call) => [
    { call, where: 'before' },
    { call, where: 'after' },
  ]);
}

/** Work that was begun in one workspace per kill. `check` expects its results once all workers are done. */
interface KilledWork {
  points: KillPoint[];
  check(): Promise<void>;
}

type BeginWork = (setup: FeaturesSetup) => Promise<KilledWork>;

/** Kills workers during all of this work. Returns the calls at which they were killed. */
export async function killDuring({ postgres, programs }: Fixtures, ...beginAll: BeginWork[]): Promise<string[]> {
  const setup = await setUpFeatures(postgres, { isSeparate: true });
  const begun: KilledWork[] = [];
  for (const begin of beginAll) begun.push(await begin(setup));
  const points = begun.flatMap((work) => work.points);
  const crashed = await runUntilDone(setup, points, programs);
  expect(crashed).toHaveLength(points.length);
  for (const { check } of begun) await check();
  return crashed;
}

/** Runs workers until all work is done, and kills them at the points. Returns the calls at which they were killed. */
async function runUntilDone(setup: FeaturesSetup, points: readonly KillPoint[], programs: Programs): Promise<string[]> {
  const { store, server, untilDrained } = setup;
  await store.pool.query(createCrashesSql);
  const crashes = Object.fromEntries(
    points.map(({ account, call, where }) => [`${server.url}/${account.user}`, { call, where }]),
  );
  const workers = await createWorkerProcesses(programs, setup, { crashes });
  await workers.runDuring(untilDrained(150_000), Math.min(2, Math.ceil(points.length / 3)));
  const { rows } = await store.pool.query<{ call: string }>('select call from crashes order by account');
  return rows.map(({ call }) => call);
}

/** Applies to the transfer whose worker is killed, but not to the next one. */
const approvalOutside = policyWith({ domains: ['example.com'], approvers: ['U-cleo'] });

/** `check` expects one correct transfer or none, and no file or recipient left for the next one. */
async function beginSending(
  setup: FeaturesSetup,
  kills: readonly Kill[] | undefined,
  needsApproval: boolean,
): Promise<KilledWork> {
  const { services, sourceFiles, store, send, startWorker } = setup;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  sourceFiles.put('F2', 'map.png', 'the map');
  sourceFiles.put('F3', 'next.txt', 'the next');
  const draft = {
    files: ['F1', 'F2'],
    recipients: ['carl@example.org', 'dora@example.net'],
    groups: [],
    message: 'Hi',
    expiresAfter: 7,
  };
  const begin = async (actor: Actor) => {
    if (needsApproval) await saveApproval(services, { ...actor, person: 'U-admin' }, approvalOutside);
    const { reviewId } = await prepareSend(services, actor, draft);
    const { id } = await confirmSend(services, actor, reviewId);
    if (needsApproval) await approve(services, { ...actor, person: 'U-cleo' }, id);
    return id;
  };
  const points = await createKillPoints(setup, 'send', begin, kills);
  const ids = new Map<string, string>();
  for (const { workspace } of points) ids.set(workspace, await begin({ workspace, person: 'U-anna' }));
  const check = async () => {
    await startWorker();
    for (const { workspace, account, call, where } of points) {
      const hint = `killed ${where} call ${call}`;
      const transfer = await transfersIn(store).read(ids.get(workspace) ?? '');
      expect(account.drops.length, hint).toBe(transfer?.state === 'sent' ? 1 : 0);
      expect(['sent', 'failed'], hint).toContain(transfer?.state);
      for (const sentTransfer of account.drops) {
        expect(
          sentTransfer.files.map((file) => [file.name, file.sha256]),
          hint,
        ).toEqual([
          ['plan.pdf', sha256('the plan')],
          ['map.png', sha256('the map')],
        ]);
        expect(
          sentTransfer.receivers.map(({ email }) => email),
          hint,
        ).toEqual(['carl@example.org', 'dora@example.net']);
      }
      const next = await send({ workspace, person: 'U-bo' }, { files: ['F3'], recipients: ['emil@example.com'] });
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
  };
  return { points, check };
}

/** Sends files with workers that are killed, by default at every call. */
export const sending =
  (kills?: readonly Kill[], { needsApproval = false } = {}): BeginWork =>
  (setup) =>
    beginSending(setup, kills, needsApproval);

/** `check` expects that the edit is done and no other contact has changed. */
async function beginEditing(setup: FeaturesSetup, kills: readonly Kill[] | undefined): Promise<KilledWork> {
  const { services } = setup;
  const begin = (actor: Actor) =>
    changeContacts(services, actor, {
      kind: 'edit',
      email: 'dora@example.net',
      fields: parseFields({ number: '46711111111' }),
    });
  const points = await createKillPoints(setup, 'contacts', begin, kills);
  for (const { workspace } of points) await begin({ workspace, person: 'U-anna' });
  const check = async () => {
    for (const { account, call, where } of points) {
      expect(account.contacts.local, `killed ${where} call ${call}`).toEqual([
        { email: 'carl@example.org', number: '46700000001', nick: 'Carl', groups: ['board'] },
        { email: 'dora@example.net', number: '46711111111', nick: 'Dora', groups: ['board'] },
        { email: 'emil@example.com', number: '46700000003', nick: 'Emil', groups: [] },
      ]);
    }
  };
  return { points, check };
}

/** Edits a contact with workers that are killed, by default at every call. */
export const editing =
  (kills?: readonly Kill[]): BeginWork =>
  (setup) =>
    beginEditing(setup, kills);

/** `check` expects one upload page for the contact, or none and an unknown outcome. */
async function beginRequesting(setup: FeaturesSetup, kills: readonly Kill[] | undefined): Promise<KilledWork> {
  const { services, store } = setup;
  const begin = async (actor: Actor) => {
    await changeSettings(services, { ...actor, person: 'U-admin' }, { requests: true });
    const draft = { recipients: ['carl@example.org'], groups: [], message: 'Please send', expiresAfter: 3 };
    return requestFiles(services, actor, draft);
  };
  const points = await createKillPoints(setup, 'request', begin, kills);
  const ids = new Map<string, string>();
  for (const { workspace } of points) ids.set(workspace, await begin({ workspace, person: 'U-anna' }));
  const check = async () => {
    for (const { workspace, account, call, where } of points) {
      const hint = `killed ${where} call ${call}`;
      const state = (await transfersIn(store).read(ids.get(workspace) ?? ''))?.state;
      expect(['sent', 'unknown'], hint).toContain(state);
      if (state === 'sent')
        expect(
          account.uploadPages.map(({ contact }) => contact.email),
          hint,
        ).toEqual(['carl@example.org']);
      else expect(account.uploadPages, hint).toEqual([]);
      expect(account.receivers, hint).toEqual([]);
    }
  };
  return { points, check };
}

/** Requests files with workers that are killed, by default at every call. */
export const requesting =
  (kills?: readonly Kill[]): BeginWork =>
  (setup) =>
    beginRequesting(setup, kills);
