import type { Person } from '../../src/sandbox/slack/index.ts';
import { command, sees } from './action-context.ts';

/** What the card of a contact showed to a person. */
export interface Look {
  workspace: string;
  person: string;
  text: string;
}

/** Opens the card of a contact that gets transfers. Faults can prevent it. */
export async function lookAtCard(workspace: string, person: Person, email: string, looks: Look[]): Promise<void> {
  const look = async () => {
    await command(person, `/drop contacts ${email}`);
    await sees(person, 'Back to contacts');
    looks.push({ workspace, person: person.name, text: person.screen() });
  };
  await look().catch(() => {});
  await person.reloads();
}
