import { setTimeout as sleep } from 'node:timers/promises';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { sees } from './action-context.ts';

/** The click of an approver. The bot might not have received it. */
export interface Decision {
  workspace: string;
  /** The id of the action that was decided on. */
  action: string;
  by: string;
  choice: 'approve' | 'decline';
}

/** Long enough to include transfers that other people confirm at the same time. */
const decideMs = 4_000;

/** Approves or declines the transfers that wait for this person: opens the review from the card, then decides. */
export async function decideWaiting(workspace: string, person: Person, decisions: Decision[]): Promise<void> {
  const deadline = Date.now() + decideMs;
  const hasCards = () => person.messages.some(({ text }) => text.includes('Approval needed'));
  for (let turn = 0; Date.now() < deadline; turn += 1) {
    if (hasCards()) {
      await decideNext(workspace, person, decisions, turn).catch(() => {});
      await person.reloads();
    }
    await sleep(200);
  }
}

async function decideNext(workspace: string, person: Person, decisions: Decision[], turn: number): Promise<void> {
  await person.opens('Dropline');
  const buttons = person.readScreen().lines.flatMap(({ controls }) => controls);
  const reviews = buttons.filter(({ accessibleName }) => accessibleName?.startsWith('Review transfer'));
  const name = reviews[turn % reviews.length]?.accessibleName;
  if (name === undefined) return;
  await person.clicks(name);
  await sees(person, '[Approve]');
  const [, action = ''] = /The (?:message|question) of (s\d+-a\d+)/.exec(person.screen()) ?? [];
  const isDeclined = turn % 4 === 3;
  decisions.push({ workspace, action, by: person.name, choice: isDeclined ? 'decline' : 'approve' });
  if (isDeclined) {
    await person.clicks('Decline…');
    await person.fills('Reason', 'Not now');
    await person.submits('Decline');
  } else await person.submits('Approve');
}
