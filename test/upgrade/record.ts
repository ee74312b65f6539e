// Records a deployment for the upgrade tests. Run by hand, once per version: see README.md.

import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { UiServices } from '../../src/features/common/ui-services.ts';
import { featureRoutes } from '../../src/features/routes.ts';
import { joinRoutes } from '../../src/slack/routes.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { startBot, startServers } from './deployment.ts';
import { runInteractions } from './interactions.ts';
import { interruptWork } from './interrupted-work.ts';
import { nameOf } from './person-driver.ts';
import { dumpDatabase, extendExpiry, Recorder, snapshotService, snapshotWorkspace, writeJson } from './recorder.ts';
import { createTenants } from './tenants.ts';

const postgres = startTestPostgres();
const version = process.env.RECORDING ?? new Date().toISOString().slice(0, 7);

test('the recorder saves a deployment that is stopped during its work', async () => {
  const database = await postgres.createDatabase();
  onTestFinished(() => database.drop());
  const closers = { add: (close: () => Promise<unknown>) => onTestFinished(async () => void (await close())) };
  const secretKey = randomBytes(32);
  const timing = { batchMs: 200, lateCheckPausesMs: [3_600_000], noChannelPauseMs: 3_600_000 };
  const servers = await startServers(closers);
  const bot = await startBot(closers, {
    ...servers,
    databaseUrl: database.connectionString,
    secretKeys: [secretKey],
    timing,
  });
  await bot.startWorkers();
  const recorder = new Recorder();
  const tenants = await createTenants(servers, bot);
  const context = { ...servers, bot, recorder, tenants, timing };
  await runInteractions(context);
  await interruptWork(context);

  // All jobs are blocked mid-work, so the database is in the same state as after a power failure.
  const { pool, cipher } = bot.services.store;
  await extendExpiry(pool, cipher);
  // Every action leaves one of these rows; a few are enough.
  for (const kind of ['claim', 'form-answer'])
    await pool.query(
      `delete from dropline.keyv where starts_with(key, $1) and key not in (
         select key from dropline.keyv where starts_with(key, $1) limit 3)`,
      [`${kind}:`],
    );
  const accounts = Object.values(tenants).map(({ account }) => account.user);
  const service = await snapshotService(servers.exchange, accounts);
  const sql = await dumpDatabase(database.connectionString);
  const teams = await Promise.all(servers.slack.workspaces().map(snapshotWorkspace));

  const routes = joinRoutes(featureRoutes({} as UiServices));
  const actions = [...recorder.actions.values()];
  const recorded = (kinds: string[]) =>
    new Set(actions.filter(({ kind }) => kinds.includes(kind)).map(({ key }) => nameOf(key)));
  const missing = [
    ...Object.keys(routes.actions).filter((name) => !recorded(['click']).has(name)),
    ...Object.keys(routes.forms).filter((name) => !recorded(['submit', 'close']).has(name)),
  ];
  expect(missing).toEqual([]);

  const { views, known } = recorder;
  const folder = new URL(`recordings/${version}/`, import.meta.url);
  await mkdir(folder, { recursive: true });
  await writeJson(new URL('slack.json', folder), {
    commands: Object.keys(routes.commands),
    known,
    acts: actions,
    views,
    teams,
  });
  await writeJson(new URL('service.json', folder), { ...service });
  await writeFile(new URL('database.sql', folder), sql);
  const key = `A test key: it protects nothing but the recording beside it.\n${secretKey.toString('base64')}\n`;
  await writeFile(new URL('test-key.txt', folder), key);
});
