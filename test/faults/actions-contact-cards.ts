import type { Person } from '../../src/sandbox/slack/index.ts';
import { command, sees } from './action-context.ts';

/** What the card of a contact showed to a person. */
export interface ContactCardView {
  workspace: string;
  person: string;
  text: string;
}

/** Opens the card of a contact and records what it shows. Faults can prevent it. */
export async function viewContactCard(
  workspace: string,
  person: Person,
  email: string,
  cardViews: ContactCardView[],
): Promise<void> {
  const openCard = async () => {
    await command(person, `/drop contacts ${email}`);
    await sees(person, 'Back to contacts');
    cardViews.push({ workspace, person: person.name, text: person.screen() });
  };
  await openCard().catch(() => {});
  await person.reloads();
}
