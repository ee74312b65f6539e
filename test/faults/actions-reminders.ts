import { setTimeout as sleep } from 'node:timers/promises';
import { queueReminders } from '../../src/features/inbox/reminders/jobs.ts';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import { listInbox } from '../helpers/inbox.ts';
import { remindersOf } from './check-reminders.ts';
import type { WorkspaceFacts } from './facts.ts';
import type { Lane } from './lane.ts';

/** The state of an item's file before the last reminders, when no work is left. */
export interface ItemBefore {
  workspace: string;
  file: string;
  isDownloaded: boolean;
  /** Whether people still have to be reminded of it. */
  isDue: boolean;
  /** Reminders in threads so far. */
  reminders: number;
}

const pauseMs = 700;

/** Repeatedly makes all items expire in half a day and queues reminders, as the bot does every hour. */
export function remindRepeatedly(lane: Lane, workspaces: readonly Workspace[]): { stop(): Promise<void> } {
  let isStopped = false;
  const loop = async () => {
    while (!isStopped) {
      // The database can be down.
      await makeDue(lane, workspaces)
        .then(() => queueReminders(lane.services))
        .catch(() => {});
      await sleep(pauseMs);
    }
  };
  const looping = loop();
  return {
    async stop() {
      isStopped = true;
      await looping;
    },
  };
}

async function makeDue({ services }: Lane, workspaces: readonly Workspace[]): Promise<void> {
  await services.store.pool.query(
    `update dropline.inbox_items set expires_from = extract(epoch from now() - interval '6.5 days')
     where workspace = any($1) and expires_from is not null`,
    [workspaces.map(({ id }) => id)],
  );
}

/** Call when no work is left. Makes items and requests due, queues reminders, and returns the items before that. */
export async function remindOnceMore(
  lane: Lane,
  workspaces: readonly Workspace[],
  facts: readonly WorkspaceFacts[],
): Promise<ItemBefore[]> {
  const { services } = lane;
  const items = (await Promise.all(workspaces.map((workspace) => itemsOf(lane, workspace)))).flat();
  const before = items.map((item) => {
    const own = facts.find(({ name }) => name === item.workspace);
    return { ...item, reminders: own === undefined ? 0 : remindersOf(own, item.file).inThreads };
  });
  await makeDue(lane, workspaces);
  await services.store.pool.query(
    `update dropline.transfers set ended_at = now() - interval '2.5 days' where workspace = any($1) and kind = 'request'`,
    [workspaces.map(({ id }) => id)],
  );
  await queueReminders(services);
  return before;
}

async function itemsOf({ services }: Lane, { id, name }: Workspace): Promise<Omit<ItemBefore, 'reminders'>[]> {
  const { rows } = await services.store.pool.query<{ url: string }>(
    'select url from dropline.inbox_items where workspace = $1 and reminded_at is null and expires_after is not null',
    [id],
  );
  const due = new Set(rows.map(({ url }) => url));
  const known = await listInbox(services, { workspace: id, person: '' }, { limit: 100 });
  return known.flatMap(({ url, files, downloads, scans = [] }) =>
    files.map((file) => ({
      workspace: name,
      file,
      isDownloaded: downloads.length > 0,
      isDue: due.has(url) && downloads.length === 0 && scans.every(({ state }) => state !== 'infected'),
    })),
  );
}
