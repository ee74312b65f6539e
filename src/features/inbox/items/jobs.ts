import type pg from 'pg';
import { jobKind } from '../../../jobs/index.ts';
import type { Services } from '../../common/services.ts';

export const announceKind = jobKind('announce', ['workspace', 'what'], { attempts: 50, slots: 'posting' });

/** Digests of different workspaces are due at the same moment, so each starts up to this much later. */
const digestSpreadMs = 60_000;

export const announceQueue = (workspace: string) => `announce:${workspace}`;

/**
 * Adds a job that announces new items and updates posts or, for `baseline`, announces how many items are already there.
 * The queue's lock allows one worker at a time, so each item is posted once.
 */
export async function queueAnnouncement(
  { queue }: Services,
  workspace: string,
  within: pg.ClientBase | undefined,
  what: 'baseline' | 'news',
): Promise<void> {
  const key = `announce ${what} ${workspace}`;
  await queue.add(announceKind, { workspace, what }, { queue: announceQueue(workspace), key, within });
}

/** Adds a delayed job. Its key differs, so that it doesn't replace a job that announces now. */
export async function queueLaterAnnouncement(
  { queue }: Pick<Services, 'queue'>,
  workspace: string,
  afterMs: number,
  { what = 'news', within }: { what?: string; within?: pg.ClientBase } = {},
): Promise<void> {
  const key = `announce ${what} later ${workspace}`;
  const runAt = new Date(Date.now() + afterMs);
  await queue.add(announceKind, { workspace, what }, { queue: announceQueue(workspace), key, runAt, within });
}

/**
 * Adds the job that posts the next digest, at the earliest time at which any is due. Debounced, because the earliest of
 * many random times would be the same for every workspace.
 */
export async function queueDigest({ queue }: Services, workspace: string, at: number): Promise<void> {
  const runAt = new Date(at + Math.random() * digestSpreadMs);
  const key = `announce digest ${workspace}`;
  const options = { queue: announceQueue(workspace), key, runAt, isDebounced: true };
  await queue.add(announceKind, { workspace, what: 'digest' }, options);
}
