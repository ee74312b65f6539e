import type { Workspace } from '../../src/sandbox/slack/index.ts';
import type { AuditDetails } from '../../src/store/index.ts';
import { listInbox } from '../helpers/inbox.ts';
import type { WorkClick } from './actions-work.ts';
import type { Lane } from './lane.ts';

/** One inbox item at the end of a run. People are given by name. */
export interface WorkFacts {
  workspace: string;
  title: string;
  file: string;
  taken: string | undefined;
  done: string | undefined;
  /** Audit entries of the item, oldest first. */
  entries: { action: string; by: string; holder: string | undefined }[];
  /** The item's posts in #inbox, as people see them; empty if its current post is elsewhere. */
  posts: string[];
  /** The messages that each person got from the bot. */
  messages: Record<string, string[]>;
}

const workActions: readonly string[] = ['take', 'take over', 'mark done', 'reopen'] satisfies WorkClick['action'][];

export async function collectWork({ services }: Lane, workspace: Workspace): Promise<WorkFacts[]> {
  const { id, name, people } = workspace;
  const items = await listInbox(services, { workspace: id, person: '' }, { limit: 1_000 });
  const audit = await services.store.audit.list(id, { limit: 1_000 });
  const nameOf = (person: unknown) => people.find((one) => one.id === person)?.name;
  const publicMessages = people[0]?.messages.filter(({ onlyForMe }) => !onlyForMe) ?? [];
  const inbox = workspace.channels.find((channel) => channel.name === 'inbox')?.id;
  return items.map(({ files, sender = '', work, post }) => {
    const [file = ''] = files;
    // After a crash, a post can be repeated in the thread of a request. The post in the channel is then outdated.
    const isPostedInInbox = post === undefined || post.channel === inbox;
    const isOwn = (details: unknown) =>
      (details as AuditDetails<'take'> | undefined)?.files?.some((one) => 'name' in one && one.name === file);
    const own = audit.filter(
      ({ action, outcome, details }) => workActions.includes(action) && outcome === 'done' && isOwn(details),
    );
    return {
      workspace: name,
      title: `${files.length} file${files.length === 1 ? '' : 's'} from ${sender}`,
      file,
      taken: nameOf(work?.taken?.person),
      done: nameOf(work?.done?.person),
      entries: own.reverse().map(({ action, person, details }) => ({
        action,
        by: nameOf(person) ?? '',
        holder: nameOf((details as AuditDetails<'take'>).holder?.user),
      })),
      posts: publicMessages
        .filter(({ destination, text }) => isPostedInInbox && destination === '#inbox' && text.includes(file))
        .map(({ text }) => text),
      messages: Object.fromEntries(
        people.map((person) => [
          person.name,
          person.messages.filter(({ destination }) => destination === 'Dropline').map(({ text }) => text),
        ]),
      ),
    };
  });
}

/** Only one of several concurrent clicks counts; audit log, database, posts and messages agree on who has an item. */
export function checkWork(work: readonly WorkFacts[], clicks: readonly WorkClick[]): string[] {
  return work.flatMap((item) =>
    [
      ...findWrongStates(item),
      ...findChangesWithoutClick(item, work, clicks),
      ...findOutdatedPosts(item),
      ...findUnnotifiedHolders(item),
    ].map((violation) => `${item.workspace}: ${item.file} ${violation}`),
  );
}

/** Replays the audit entries: each must have been possible after the one before. */
function findWrongStates({ taken, done, entries }: WorkFacts): string[] {
  let now: { taken?: string; done?: string } = {};
  const impossible: string[] = [];
  for (const { action, by, holder } of entries) {
    const isFree = now.taken === undefined && now.done === undefined;
    const isHeldByOther = now.done === undefined && now.taken === holder && holder !== by && holder !== undefined;
    const isPossible = {
      take: isFree,
      'take over': isHeldByOther,
      'mark done': now.done === undefined,
      reopen: now.done !== undefined,
    }[action];
    if (isPossible !== true) impossible.push(`was changed by an impossible “${action}” of ${by}`);
    if (action === 'mark done') now = { ...now, done: by };
    else now = action === 'reopen' ? { taken: now.taken } : { taken: by };
  }
  const isSame = now.taken === taken && now.done === done;
  return [...impossible, ...(isSame ? [] : [`has another state than the audit: ${taken}, ${done}`])];
}

/** A click that is delivered twice counts once. */
function findChangesWithoutClick(
  { workspace, title, entries }: WorkFacts,
  work: readonly WorkFacts[],
  clicks: readonly WorkClick[],
) {
  // Clicks name an item by its title, which other items can have too.
  const isUnique = work.filter((other) => other.workspace === workspace && other.title === title).length === 1;
  if (!isUnique) return [];
  return entries.flatMap(({ action, by }) => {
    const isSame = (one: { action: string; by: string }) => one.action === action && one.by === by;
    const own = clicks.filter((click) => click.workspace === workspace && click.title === title && isSame(click));
    return entries.filter(isSame).length <= own.length ? [] : [`has more “${action}” of ${by} than clicks`];
  });
}

/** A crash can leave a repeated, outdated post, but at least one post of an item must show its state. */
function findOutdatedPosts({ taken, done, posts }: WorkFacts): string[] {
  if (posts.length === 0) return [];
  const state = done !== undefined ? `Done by @${done}` : taken !== undefined ? `Taken by @${taken} since` : undefined;
  const isShown = (post: string) => (state === undefined ? !/Done by @|Taken by @/.test(post) : post.includes(state));
  return posts.some(isShown) ? [] : [`has no post with its state: ${state ?? 'open'}`];
}

function findUnnotifiedHolders({ title, entries, messages }: WorkFacts): string[] {
  return entries.flatMap(({ action, holder }) => {
    if (action !== 'take over' || holder === undefined) return [];
    const isNotified = messages[holder]?.some(
      (text) => text.includes(title) && /took over|as done|reopened/.test(text),
    );
    return isNotified === true ? [] : [`was taken from ${holder}, who was not told`];
  });
}
