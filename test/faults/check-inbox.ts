import { sha256 } from '../helpers/features.ts';
import type { ActResult } from './act-context.ts';
import type { Facts, WorkspaceFacts } from './facts.ts';
import type { Arrival, Fetch } from './plan.ts';

/**
 * Every item is announced in the right channel, and repeated only if the bot never learned that its post was accepted.
 */
export function checkInbox(facts: Facts): { violations: string[]; repeated: number } {
  const violations: string[] = [];
  let repeated = 0;
  for (const workspace of facts.workspaces) {
    const own = facts.plan.arrivals.filter(({ account }) => account === workspace.account);
    const asked = requestedSenders(facts, workspace);
    const posts = own.map((arrival) => ({ arrival, ...postsOf(workspace, arrival) }));
    for (const { arrival, inChannel, inPrivate } of posts) {
      if (inChannel + inPrivate === 0) violations.push(`${workspace.name}: ${arrival.file.name} was never announced`);
      if (inPrivate > 0 && !asked.includes(arrival.sender))
        violations.push(`${workspace.name}: ${arrival.file.name} was announced to a person who did not request it`);
    }
    const repeats = posts.reduce((sum, { inChannel, inPrivate }) => sum + Math.max(0, inChannel + inPrivate - 1), 0);
    // Replies and other items are posted in parallel, so a crash can repeat one of each.
    const postsPerCrash = asked.length > 0 ? 2 : 1;
    const most = postsPerCrash * (facts.kills + facts.outages) + workspace.unconfirmedPosts;
    if (repeats > most)
      violations.push(`${workspace.name}: ${repeats} posts were repeated, but at most ${most} are allowed`);
    repeated += repeats;
  }
  return { violations, repeated };
}

function postsOf({ inbox, people }: WorkspaceFacts, { file }: Arrival) {
  const isPost = (text: string) => /^\s*\d+ files? from /.test(text) && text.includes(file.name);
  const inPrivate = people.flatMap(({ messages }) => messages.filter(isPost)).length;
  return { inChannel: inbox.filter(isPost).length, inPrivate };
}

function requestedSenders({ results }: Facts, { name }: WorkspaceFacts): string[] {
  return results.flatMap(({ workspace, act, progress }) =>
    workspace === name && progress !== 'not submitted' && act.kind === 'request'
      ? act.to.map(({ email }) => email)
      : [],
  );
}

/** Each requested download arrives complete, or its failure is reported. */
export function checkFetches(facts: Facts): string[] {
  const fetches = facts.results.filter((result): result is ActResult & { act: Fetch } => result.act.kind === 'fetch');
  const corrupted = facts.workspaces.flatMap(({ name, files }) =>
    files
      .filter((file) => file.sha256 !== sumOf(facts, file.name))
      .map((file) => `${name}: ${file.name} arrived with different content`),
  );
  const unreported = fetches.flatMap(({ act, workspace, person, progress }) => {
    const { people = [] } = facts.workspaces.find(({ name }) => name === workspace) ?? {};
    const { messages = [] } = people.find(({ name }) => name === person) ?? {};
    const isReported = messages.some(
      (text) =>
        text.includes(`(file: ${act.file})`) || (text.includes(act.file) && text.includes("couldn't be downloaded")),
    );
    return progress !== 'accepted' || isReported ? [] : [`${act.id}: ${person} never got ${act.file}`];
  });
  return [...corrupted, ...unreported];
}

function sumOf({ plan }: Facts, name: string): string | undefined {
  const data = plan.arrivals.find(({ file }) => file.name === name)?.file.data;
  return data === undefined ? undefined : sha256(data);
}
