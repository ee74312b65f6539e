import type pg from 'pg';
import { jobKind } from '../../../jobs/index.ts';
import { accountKey, type Desk, idsOfDesk } from '../../../store/index.ts';
import type { Services } from '../../common/services.ts';

export const announceKind = jobKind('announce', ['workspace', 'desk', 'what'], { attempts: 50, slots: 'posting' });

/** Digests of different workspaces are due at the same moment, so each starts up to this much later. */
const digestSpreadMs = 60_000;

/** What the names of all of a workspace's queues begin with. */
export const announceQueues = (workspace: string) => `announce:${workspace} `;
export const announceQueue = ({ workspace, account }: Required<Desk>) => `announce:${workspace} ${accountKey(account)}`;

/**
 * Adds a job that announces new items and updates posts or, for `baseline`, announces how many items are already there.
 * The queue's lock allows one worker at a time, so each item is posted once.
 */
export async function queueAnnouncement(
  { queue }: Services,
  desk: Required<Desk>,
  within: pg.ClientBase | undefined,
  what: 'baseline' | 'news',
): Promise<void> {
  const name = announceQueue(desk);
  await queue.add(announceKind, { ...idsOfDesk(desk), what }, { queue: name, key: `${name} ${what}`, within });
}

/** Adds a delayed job. Its key differs, so that it doesn't replace a job that announces now. */
export async function queueLaterAnnouncement(
  { queue }: Pick<Services, 'queue'>,
  desk: Required<Desk>,
  afterMs: number,
  { what = 'news', within }: { what?: string; within?: pg.ClientBase } = {},
): Promise<void> {
  const name = announceQueue(desk);
  const options = { queue: name, key: `${name} ${what} later`, runAt: new Date(Date.now() + afterMs), within };
  await queue.add(announceKind, { ...idsOfDesk(desk), what }, options);
}

/**
 * Adds the job that posts the next digest, at the earliest time at which any is due. Debounced, because the earliest of
 * many random times would be the same for every workspace.
 */
export async function queueDigest({ queue }: Services, desk: Required<Desk>, at: number): Promise<void> {
  const name = announceQueue(desk);
  const runAt = new Date(at + Math.random() * digestSpreadMs);
  const options = { queue: name, key: `${name} digest`, runAt, isDebounced: true };
  await queue.add(announceKind, { ...idsOfDesk(desk), what: 'digest' }, options);
}
