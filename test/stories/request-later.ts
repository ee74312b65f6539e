import type { Person } from '../../src/sandbox/slack/index.ts';
import { openCard } from './request.ts';

export async function request(person: Person, from: string): Promise<void> {
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
