import type { Person } from '../../src/sandbox/slack/index.ts';
import { until } from '../helpers/features.ts';

export const plan = { name: 'plan.pdf', data: 'the plan' };

/** Waits until messages with this text exist and have no buttons. */
export async function untilWithoutButtons(person: Person, text: string): Promise<void> {
  const haveNoButtons = () => {
    const found = person.messages.filter((message) => message.text.includes(text));
    return (found.length > 0 && found.every((message) => !message.text.includes('['))) || undefined;
  };
  await until(haveNoButtons, `“${text}” without buttons`);
}

export const countButtons = (person: Person, label: string) =>
  person.messages.filter(({ text }) => text.includes(`[${label}]`)).length;
