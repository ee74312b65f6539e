import type { Person } from '../../src/sandbox/slack/index.ts';

/** Slack's error for a form that gets no answer. */
export const connectionError = 'We had some trouble connecting';

/** Opens the form for a new contact and fills it in. */
export async function fillInContact(person: Person): Promise<void> {
  await person.types('/drop contacts', { in: 'Dropline' });
  await person.clicks('Add contact');
  await person.fills('Email', 'fia@example.org');
}
