import type { Person } from '../../src/sandbox/slack/index.ts';

/** Opens the direct messages with the card. A form that was answered late stays open, so this closes it first. */
export async function openCard(person: Person): Promise<void> {
  await person.reloads();
  await person.opens('Dropline');
}
