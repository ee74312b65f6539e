import { expect, onTestFinished, test } from 'vitest';
import { startRunner } from '../src/jobs/index.ts';
import { housekeeping } from '../src/process/housekeeping.ts';
import { setUpApp } from './helpers/app.ts';
import { until } from './helpers/features.ts';
import { startTestPostgres } from './helpers/postgres.ts';

const postgres = startTestPostgres();

test('housekeeping continues with its other steps after one step fails', async () => {
  const { services, acme, logged } = await setUpApp(postgres, { isSeparate: true, logLevel: 'info' });
  const { store } = services;
  const connected = await store.credentials.get({ workspace: acme.id });
  if (connected === undefined) throw new Error('the workspace is not connected');
  await store.pool.query('alter table dropline.chains rename column workspace to owner');
  await store.credentials.set(acme.id, { ...connected, leavingSince: Date.now() });
  const { handler, start } = housekeeping(services);
  const runner = await startRunner({ store, handlers: [handler] });
  onTestFinished(() => runner.stop(0));
  onTestFinished(start());
  const isGone = async () => ((await store.credentials.get({ workspace: acme.id })) === undefined ? true : undefined);
  await until(isGone, 'the disconnecting workspace to be deleted');
  expect(logged()).toContain('sweep step failed');
});
