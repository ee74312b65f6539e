import { confirmSend, prepareSend } from '../../src/features/transfers/kinds/send/operations.ts';
import type { Operation } from '../../src/sandbox/exchange/index.ts';
import { type FeaturesSetup, setUpFeatures, until } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** Paths of the account's address. An older version stored any spelling, like those of T2 and T3. */
const spellings = { T1: '/exchange', T2: '/%65xchange', T3: '/e%78change' };

export const workspaces = Object.keys(spellings);

/** Sets up three workspaces that use one account, each with its own spelling of the address. */
export async function setUpSpellings(postgres: TestPostgres) {
  const setup = await setUpFeatures(postgres, { server: { basePath: 'exchange' } });
  const { server, store } = setup;
  const credentials = await store.credentials.get('T1');
  if (credentials === undefined) throw new Error('T1 is not connected');
  for (const [workspace, path] of Object.entries(spellings)) {
    await store.credentials.set(workspace, { ...credentials, baseUrl: new URL(path, server.url).href });
  }
  return setup;
}

/** Confirms a transfer of the workspace. Returns its id. */
export async function queueFor({ services, sourceFiles }: FeaturesSetup, workspace: string): Promise<string> {
  const actor = { workspace, person: 'U-anna' };
  const files = [sourceFiles.put(`F-${workspace}`, `${workspace}.pdf`, `the plan of ${workspace}`)];
  const draft = { files, receivers: ['carl@example.org'], groups: [], message: workspace, timeToLive: 7 };
  const { reviewId } = await prepareSend(services, actor, draft);
  await confirmSend(services, actor, reviewId);
  return reviewId;
}

/** Lists the calls to these operations, in order. */
export const callsTo = ({ server }: FeaturesSetup, ...operations: Operation[]) =>
  server.calls.map(({ operation }) => operation).filter((operation) => operations.includes(operation as Operation));

/** Resolves when `count` jobs run at the same time. */
export function untilRunning({ store }: FeaturesSetup, count: number): Promise<true> {
  return until(async () => {
    const sql = 'select from graphile_worker._private_jobs where locked_at is not null';
    return (await store.pool.query(sql)).rowCount === count || undefined;
  }, `${count} running jobs`);
}
