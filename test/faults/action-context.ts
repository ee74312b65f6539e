import { setTimeout as sleep } from 'node:timers/promises';
import type { Person, Workspace } from '../../src/sandbox/slack/index.ts';
import type { Action, PlannedFile } from './plan.ts';

/**
 * `not submitted`: the person gave up before the confirming click. `submitted`: they clicked and got no answer.
 * `accepted`: the bot answered.
 */
export type ActionProgress = 'not submitted' | 'submitted' | 'accepted';

/** What a person did, and how far they got. */
export interface ActionResult {
  workspace: string;
  person: string;
  action: Action;
  progress: ActionProgress;
  /** Set if a download was accepted: when the person clicked and saw the answer, in milliseconds since 1970. */
  accepted?: { clickedAt: number; answeredAt: number };
  /** How far the person got with Send again or Ask again; undefined if they didn't try. */
  repeated?: ActionProgress;
  /** The points that the person ticked off. `isConfirmed`: they saw the tick. */
  ticks?: { point: string; isConfirmed: boolean }[];
  /** The last text of the form before it was closed. */
  formText: string;
  /** The error that stopped the action. */
  error: string;
}

/** Everything that the functions for one action need. */
export interface ActionContext {
  workspace: Workspace;
  person: Person;
  result: ActionResult;
  /** A contact uploads a file to the workspace's account. */
  arrive(sender: string, file: PlannedFile): Promise<void>;
}

export const attempts = 2;
const answerTimeoutMs = 3_000;

/** Waits for the text. Throws at once if Slack or the form shows an error. */
export async function sees(person: Person, expected: string | RegExp, ms = answerTimeoutMs): Promise<void> {
  const isShown = (text: string) => (typeof expected === 'string' ? text.includes(expected) : expected.test(text));
  const deadline = Date.now() + ms;
  for (;;) {
    const screen = person.screen();
    if (isShown(screen)) return;
    if (person.client.notices.length > 0 || (person.client.modals.length > 0 && /⚠/.test(screen)))
      throw new Error(screen);
    if (Date.now() > deadline) throw new Error(`${person.name} did not see "${expected}": ${screen}`);
    await sleep(25);
  }
}

/** Retries the command if Slack reports an error. */
export async function command(person: Person, text: string): Promise<void> {
  await person.opens('Dropline');
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    await person.types(text);
    if (person.client.notices.length === 0) return;
    await sleep(300);
  }
}

/** Makes the confirming click, or two at once. After that, the action is never started over. */
export async function confirm(
  { person, result }: ActionContext,
  label: string,
  isClickedTwice: boolean,
  answer: RegExp,
): Promise<void> {
  await sees(person, label);
  result.progress = 'submitted';
  if (isClickedTwice) await Promise.allSettled([person.submits(label), person.submits(label)]);
  else await submit(person, label, answer);
  if (person.client.modals.length > 0) await sees(person, answer);
  result.progress = 'accepted';
}

/** Clicks again if Slack or the bot reports a failure. */
export async function submit(person: Person, label: string, answer: RegExp): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await person.submits(label);
    if (person.client.modals.length === 0 && person.client.notices.length === 0) return;
    try {
      return await sees(person, answer);
    } catch (error) {
      if (attempt === attempts || !person.screen().includes(`[${label}]`)) throw error;
      await sleep(300);
    }
  }
}
