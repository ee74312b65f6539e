import type { Person } from '../../src/sandbox/slack/index.ts';
import { type InboxApp, setUpInboxApp } from '../helpers/inbox-app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import { openCard } from './request.ts';

/** Bo has requested files from the two members of a group. */
export async function setUpRequest(
  postgres: TestPostgres,
): Promise<InboxApp & { pollAt(sqlTime: string): Promise<unknown> }> {
  const app = await setUpInboxApp(postgres);
  const { bo, changeSettings, services } = app;
  await changeSettings({ requests: true });
  await request(bo, 'board');
  return { ...app, pollAt: (sqlTime) => services.store.pool.query(`update dropline.polls set next_at = ${sqlTime}`) };
}

async function request(person: Person, from: string): Promise<void> {
  await person.types('/drop request');
  await person.picks('Request from', from);
  await person.fills('Expires after (days)', '3');
  await person.fills('Message', 'Please send the plans.');
  await person.submits('Review');
  await person.sees('The first files from each person arrive in the thread of your request, later ones in the inbox.');
  await person.submits('Request from 2 people');
  await openCard(person);
  await person.sees('No uploads yet.');
}
