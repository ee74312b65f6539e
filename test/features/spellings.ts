import { confirmSend, prepareSend } from '../../src/features/transfers/kinds/send/operations.ts';
import { type FeaturesSetup, setUpFeatures } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** An older version accepted any spelling of an address. The rows of T2 and T3 are as it wrote them. */
export const spellings = { T1: '/exchange', T2: '/%65xchange', T3: '/e%78change' };

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

export async function confirms({ services, shelf }: FeaturesSetup, workspace: string): Promise<string> {
  const actor = { workspace, person: 'U-anna' };
  const files = [shelf.put(`F-${workspace}`, `${workspace}.pdf`, `the plan of ${workspace}`)];
  const draft = { files, receivers: ['carl@example.org'], groups: [], message: workspace, timeToLive: 7 };
  const { confirmation } = await prepareSend(services, actor, draft);
  await confirmSend(services, actor, confirmation);
  return confirmation;
}
