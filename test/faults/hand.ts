import { setTimeout as sleep } from 'node:timers/promises';
import type { Person, Workspace } from '../../src/sandbox/slack/index.ts';
import type { Act } from './plan.ts';

/** What a person did, and how far it got. */
export interface Done {
  workspace: string;
  person: string;
  act: Act;
  /**
   * `nowhere`: given up before anything could have happened. `handed over`: the last click was made, without an answer.
   * `accepted`: the bot answered.
   */
  came: 'nowhere' | 'handed over' | 'accepted';
  /** The last text of the form before it was closed. */
  said: string;
  /** The error that stopped the act. */
  trouble: string;
}

export interface Hand {
  workspace: Workspace;
  person: Person;
  done: Done;
}

export const attempts = 2;
const patienceMs = 3_000;

/** Waits for the text, but stops as soon as something has gone wrong. */
export async function sees(person: Person, words: string | RegExp, ms = patienceMs): Promise<void> {
  const isThere = (text: string) => (typeof words === 'string' ? text.includes(words) : words.test(text));
  const deadline = Date.now() + ms;
  for (;;) {
    const screen = person.screen();
    if (isThere(screen)) return;
    if (person.client.notices.length > 0 || (person.client.modals.length > 0 && /⚠/.test(screen)))
      throw new Error(screen);
    if (Date.now() > deadline) throw new Error(`${person.name} waited in vain for "${words}": ${screen}`);
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

/** The decisive click. After it, the act is never started over. */
export async function confirm({ person, done }: Hand, label: string, isTwice: boolean, heard: RegExp): Promise<void> {
  await sees(person, label);
  done.came = 'handed over';
  if (isTwice) await Promise.allSettled([person.submits(label), person.submits(label)]);
  else await submit(person, label, heard);
  if (person.client.modals.length > 0) await sees(person, heard);
  done.came = 'accepted';
}

/** Clicks again if Slack or the bot reports a failure. */
export async function submit(person: Person, label: string, heard: RegExp): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await person.submits(label);
    if (person.client.modals.length === 0 && person.client.notices.length === 0) return;
    try {
      return await sees(person, heard);
    } catch (error) {
      if (attempt === attempts || !person.screen().includes(`[${label}]`)) throw error;
      await sleep(300);
    }
  }
}
