import { changeSettings } from '../../src/features/settings/operations.ts';
import type { Settings } from '../../src/features/settings/repository.ts';
import { readDraft } from '../../src/features/staging/repository.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { setUpApp } from '../helpers/app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** The bot is in #plans, which is watched, and in #chat, which is not. */
export async function setUpWatchedChannel(postgres: TestPostgres, changes: Partial<Settings> = {}) {
  const app = await setUpApp(postgres);
  const { acme, anna, bo, gus, services } = app;
  const plans = acme.addChannel({ name: 'plans', members: [anna, bo, gus, 'app'] });
  const chat = acme.addChannel({ name: 'chat', members: [anna, bo, 'app'] });
  const admin = { workspace: acme.id, person: anna.id };
  await changeSettings(services, admin, { watchedChannels: [plans.id], ...changes });
  const stagedOf = async ({ id: person }: Person) => (await readDraft(services, { workspace: acme.id, person })).staged;
  return { ...app, plans, chat, stagedOf };
}
