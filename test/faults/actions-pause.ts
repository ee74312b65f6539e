import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import { command, sees } from './action-context.ts';
import type { PlannedPause } from './plan.ts';

export const pauserName = 'Ada';

/** The time in which an admin knew that sending was paused, in milliseconds since 1970. */
export interface KnownPause {
  workspace: string;
  admin: string;
  from: number;
  until: number;
}

const tries = 5;

/** An admin pauses sending and resumes it later. Undefined if faults hid whether it was paused. */
export async function pauseAndResume(
  workspace: Workspace,
  { afterMs, forMs }: PlannedPause,
): Promise<KnownPause | undefined> {
  const person = workspace.person(pauserName);
  const openPage = async () => {
    await person.reloads();
    await command(person, '/drop settings');
    await sees(person, '[Pause or resume]');
    await person.clicks('Pause or resume');
    await sees(person, /\[(Pause|Resume) sending…\]/);
  };
  const pause = async () => {
    await openPage();
    if (person.screen().includes('[Resume sending…]')) return;
    await person.clicks('Pause sending…');
    await sees(person, '[Pause]');
    await person.fills('Reason', 'A test of the pause');
    await person.submits('Pause');
    await openPage();
    await sees(person, '[Resume sending…]');
  };
  const resume = async () => {
    await openPage();
    if (person.screen().includes('[Pause sending…]')) return;
    await person.clicks('Resume sending…');
    await person.confirms('Resume');
    await sees(person, '[Pause sending…]');
  };
  await sleep(afterMs);
  const isPaused = await retried(pause);
  const from = Date.now();
  if (isPaused) await sleep(forMs);
  const until = Date.now();
  await retried(resume);
  return isPaused ? { workspace: workspace.id, admin: person.id, from, until } : undefined;
}

async function retried(work: () => Promise<void>): Promise<boolean> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const isDone = await work().then(
      () => true,
      () => false,
    );
    if (isDone) return true;
    await sleep(200);
  }
  return false;
}
