import { createHash } from 'node:crypto';
import { DroplineError } from '../../errors.ts';
import type { HistoryEntry } from '../../exchange/index.ts';
import { connectionOf } from '../connection.ts';
import { textOf } from '../outgoing/compare.ts';
import type { Actor, Services } from '../services.ts';
import { expectAllowed } from '../settings/permission.ts';
import type { TtlUnit } from '../settings/settings.ts';

export interface HistoryQuery {
  /** From 0. */
  page?: number;
  pageSize?: number;
  /** In file names, addresses, nicknames and messages. */
  search?: string;
}

export interface PastDrop extends HistoryEntry {
  /** Names it in this workspace; two that are alike in everything go by the same. */
  id: string;
  /** Who sent it, where Dropline knows. */
  person: string | undefined;
}

interface Seen {
  isAdmin: boolean;
  /** What its times to live count. */
  unit: TtlUnit;
}

export interface HistoryPage extends Seen {
  entries: PastDrop[];
  /** How many fit the query. */
  total: number;
  /** Currently active downloads, of the whole account; undefined where the service does not say. */
  liveDrops: number | undefined;
}

/** Past dispatches, the newest first. People see their own, admins all. */
export async function readHistoryPage(
  services: Services,
  actor: Actor,
  query: HistoryQuery = {},
): Promise<HistoryPage> {
  const { page = 0, pageSize = 10, search = '' } = query;
  const { exchange, dropOf, seen } = await eyesOf(services, actor);
  const words = search.toLowerCase().trim();
  const newest = keepNewest<PastDrop>((page + 1) * pageSize);
  const { liveDrops } = await exchange.readHistory({
    keep: (entry) => {
      const drop = words === '' || mentions(entry, words) ? dropOf(entry) : undefined;
      if (drop !== undefined) newest.add(drop);
      return false;
    },
  });
  const entries = newest.sorted().slice(page * pageSize, (page + 1) * pageSize);
  return { ...seen, entries, total: newest.count(), liveDrops };
}

/** One of them, by its id. What somebody may not see is not there for him. */
export async function readPastDrop(services: Services, actor: Actor, id: string): Promise<Seen & { drop: PastDrop }> {
  const { exchange, dropOf, seen } = await eyesOf(services, actor);
  let drop: PastDrop | undefined;
  await exchange.readHistory({
    keep: (entry) => {
      if (drop === undefined && idOf(actor.workspace, entry) === id) drop = dropOf(entry);
      return false;
    },
  });
  if (drop === undefined) throw new DroplineError('not-found', 'The service has no such dispatch in its history.');
  return { ...seen, drop };
}

/** What somebody may see of the history. */
async function eyesOf(services: Services, actor: Actor) {
  const { isAdmin, settings } = await expectAllowed(services, actor, 'send');
  const { exchange } = await connectionOf(services, actor.workspace);
  const senders = await sendersOf(services, actor.workspace);
  return {
    exchange,
    seen: { isAdmin, unit: settings.ttl.unit },
    dropOf(entry: HistoryEntry): PastDrop | undefined {
      const person = senders(entry);
      return isAdmin || person === actor.person ? { ...entry, id: idOf(actor.workspace, entry), person } : undefined;
    },
  };
}

function idOf(workspace: string, entry: HistoryEntry): string {
  return createHash('sha256')
    .update(`${workspace} ${textOf(entry)}`)
    .digest('base64url')
    .slice(0, 22);
}

/** Tells by its mark who sent an entry. */
async function sendersOf({ store }: Services, workspace: string) {
  const { rows } = await store.pool.query<{ entry_mark: string; person: string }>(
    'select entry_mark, person from dropline.dispatches where workspace = $1 and entry_mark is not null',
    [workspace],
  );
  const byMark = new Map(rows.map(({ entry_mark, person }) => [entry_mark, person]));
  return (entry: HistoryEntry): string | undefined =>
    byMark.size === 0 ? undefined : byMark.get(store.markOf(textOf(entry)));
}

function mentions({ files, receivers, message = '' }: HistoryEntry, words: string): boolean {
  const texts = [message, ...files.map(({ name = '' }) => name)];
  for (const { email = '', nick = '', name = '', number = '' } of receivers) texts.push(email, nick, name, number);
  return texts.some((text) => text.toLowerCase().includes(words));
}

type Dated = { createdAt: number | undefined };

/** Keeps so many and no more, however long the history is. */
function keepNewest<T extends Dated>(most: number) {
  let kept: (T & { at: number })[] = [];
  let count = 0;
  const prune = () => {
    // Of one second, the later in the list comes first: services append.
    kept.sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0) || b.at - a.at);
    kept = kept.slice(0, most);
  };
  return {
    add(entry: T) {
      kept.push({ ...entry, at: count });
      count += 1;
      if (kept.length > 2 * most) prune();
    },
    count: () => count,
    sorted(): T[] {
      prune();
      return kept.map(({ at: _, ...entry }) => entry as unknown as T);
    },
  };
}
