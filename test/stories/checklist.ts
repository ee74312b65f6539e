import type { Person } from '../../src/sandbox/slack/index.ts';
import type { InboxApp, InboxAppOptions } from '../helpers/inbox-app.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import { openCard } from './request.ts';

/** Asks a contact for these points. */
export async function asksFor(person: Person, points: readonly string[], from = 'carl@example.org'): Promise<void> {
  await person.types('/drop request', { in: 'Dropline' });
  await person.picks('Request from', from);
  await person.fills('Expires after (days)', '3');
  await person.fills('Message', 'Please send these.');
  await person.fills('Checklist', points.join('\n'));
  await person.submits('Review');
  await person.sees('until you have ticked off the whole checklist');
  await person.submits('Request from 1 person');
  await openCard(person);
  await person.sees(`Missing: ${points.length} of ${points.length}`);
}

/** Bo has asked Carl for a passport and a contract. */
export async function setUpChecklist(postgres: TestPostgres, options: InboxAppOptions = {}): Promise<InboxApp> {
  const app = await setUpInboxApp(postgres, options);
  await app.changeSettings({ requests: true });
  await asksFor(app.bo, ['Passport', 'Contract, signed']);
  return app;
}

/** The messages with the buttons of a checklist. */
export const checklistsOf = (person: Person) =>
  person.messages.filter(({ text }) =>
    /What has arrived|Everything on the checklist has arrived[\s\S]*\[✅/.test(text),
  );
