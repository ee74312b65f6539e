import { setTimeout as sleep } from 'node:timers/promises';
import type { PauseTarget } from '../../src/features/pause/repository.ts';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import { command, sees } from './action-context.ts';
import type { PlannedPause } from './plan.ts';

/** The admins who pause: one for each target, because a person does one thing at a time. */
export const pauserNames: Record<PauseTarget, string> = { sending: 'Ada', requests: 'Ben', downloads: 'Cai' };

const buttonNames: Record<PauseTarget, string> = {
  sending: 'sending',
  requests: 'file requests',
  downloads: 'downloads',
};

/** A pause that its admin saw confirmed, until they clicked Resume. Times are in milliseconds since 1970. */
export interface KnownPause {
  /** The id of the workspace. */
  workspace: string;
  workspaceName: string;
  target: PauseTarget;
  from: number;
  until: number;
}

const tries = 5;

/** An admin pauses a target and resumes it later. Returns undefined if faults hid the answer to Pause. */
export async function pauseAndResume(
  workspace: Workspace,
  { target, afterMs, forMs }: PlannedPause,
): Promise<KnownPause | undefined> {
  const person = workspace.person(pauserNames[target]);
  const name = buttonNames[target];
  const openPage = async () => {
    await person.reloads();
    await command(person, '/drop settings');
    await sees(person, '[Pause or resume]');
    await person.clicks('Pause or resume');
    await sees(person, new RegExp(`\\[(Pause|Resume) ${name}…\\]`));
  };
  const pause = async () => {
    await openPage();
    if (person.screen().includes(`[Resume ${name}…]`)) return;
    await person.clicks(`Pause ${name}…`);
    await sees(person, '[Pause]');
    await person.fills('Reason', 'A test of the pause');
    await person.submits('Pause');
    await openPage();
    await sees(person, `[Resume ${name}…]`);
  };
  const resume = async () => {
    await openPage();
    if (person.screen().includes(`[Pause ${name}…]`)) return;
    await person.clicks(`Resume ${name}…`);
    await person.confirms('Resume');
    await sees(person, `[Pause ${name}…]`);
  };
  await sleep(afterMs);
  const isPaused = await retry(pause);
  const from = Date.now();
  if (isPaused) await sleep(forMs);
  const until = Date.now();
  await retry(resume);
  return isPaused ? { workspace: workspace.id, workspaceName: workspace.name, target, from, until } : undefined;
}

async function retry(work: () => Promise<void>): Promise<boolean> {
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
