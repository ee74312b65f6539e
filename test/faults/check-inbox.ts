import { sha256 } from '../helpers/features.ts';
import type { ActionResult } from './action-context.ts';
import type { Facts, WorkspaceFacts } from './facts.ts';
import { type Arrival, type Fetch, isInfected } from './plan.ts';

/**
 * Every item is announced in the right conversation, and not before the digest if there is one. It is announced again
 * only if the bot never learned that its post was accepted. An item can share a post with others.
 */
export function checkInbox(facts: Facts): { violations: string[]; repeated: number } {
  const violations: string[] = [];
  let repeated = 0;
  for (const workspace of facts.workspaces) {
    const own = facts.plan.arrivals.filter(({ account }) => account === workspace.account);
    const requested = requestedSenders(facts, workspace);
    const { inChannel, inPrivate } = postsIn(workspace);
    for (const arrival of own) {
      const posted = [...inChannel, ...inPrivate].filter((text) => isIn(text, arrival));
      if (posted.length === 0) violations.push(`${workspace.name}: ${arrival.file.name} was never announced`);
      const isUnrequested = !requested.includes(arrival.sender);
      if (isUnrequested && inPrivate.some((text) => isIn(text, arrival)))
        violations.push(`${workspace.name}: ${arrival.file.name} was announced to a person who did not request it`);
      if (isUnrequested && hasDigest(facts, workspace) && posted.some((text) => !text.startsWith('Digest: ')))
        violations.push(`${workspace.name}: ${arrival.file.name} was announced before the digest`);
    }
    // A post is repeated if one of its items is announced again later.
    const all = [...inPrivate, ...inChannel];
    const repeats = all.filter((text, index) =>
      own.some((arrival) => isIn(text, arrival) && all.slice(index + 1).some((later) => isIn(later, arrival))),
    ).length;
    // Replies and other items are posted in parallel, so a crash can repeat one of each.
    const postsPerCrash = requested.length > 0 ? 2 : 1;
    const allowed = postsPerCrash * (facts.kills + facts.outages) + workspace.unconfirmedPosts;
    if (repeats > allowed)
      violations.push(`${workspace.name}: ${repeats} posts were repeated, but at most ${allowed} are allowed`);
    repeated += repeats;
  }
  return { violations, repeated };
}

function postsIn({ inbox, people }: WorkspaceFacts) {
  const isPost = (text: string) => /^(Digest: |\s*\d+ files? from )/.test(text);
  return { inChannel: inbox.filter(isPost), inPrivate: people.flatMap(({ messages }) => messages.filter(isPost)) };
}

const isIn = (post: string, { file }: Arrival): boolean => post.includes(file.name);

/** Whether the channel had a digest during the whole run. */
function hasDigest({ plan }: Facts, { name }: WorkspaceFacts): boolean {
  const planned = plan.workspaces.find((workspace) => workspace.name === name);
  return planned?.digest !== undefined && planned.endsDigest !== true;
}

function requestedSenders({ results }: Facts, { name }: WorkspaceFacts): string[] {
  return results.flatMap(({ workspace, action, progress }) =>
    workspace === name && progress !== 'not submitted' && action.kind === 'request'
      ? action.to.map(({ email }) => email)
      : [],
  );
}

/** Each accepted download arrives complete, or its failure is reported. Malware is never delivered. */
export function checkFetches(facts: Facts): string[] {
  const fetches = facts.results.filter(
    (result): result is ActionResult & { action: Fetch } => result.action.kind === 'fetch',
  );
  const corrupted = facts.workspaces.flatMap(({ name, files }) =>
    files
      .filter((file) => file.sha256 !== sumOf(facts, file.name))
      .map((file) => `${name}: ${file.name} arrived with different content`),
  );
  const infected = new Set(
    allArrivals(facts)
      .filter(({ file }) => isInfected(file))
      .map(({ file }) => file.name),
  );
  const delivered = facts.workspaces.flatMap(({ name, files }) =>
    files
      .filter((file) => infected.has(file.name))
      .map((file) => `${name}: ${file.name} has malware and was delivered`),
  );
  const unreported = fetches.flatMap(({ action, workspace, person, progress }) => {
    const { people = [] } = facts.workspaces.find(({ name }) => name === workspace) ?? {};
    const { messages = [] } = people.find(({ name }) => name === person) ?? {};
    const isReported = messages.some(
      (text) =>
        text.includes(`(file: ${action.file})`) ||
        (text.includes(action.file) && text.includes("couldn't be downloaded")),
    );
    // Malware that was found before isn't downloaded with the other files.
    const isLeftOut = action.isAll === true && infected.has(action.file);
    return progress !== 'accepted' || isReported || isLeftOut
      ? []
      : [`${action.id}: ${person} never got ${action.file}`];
  });
  return [...corrupted, ...delivered, ...unreported];
}

const allArrivals = ({ plan }: Facts): Arrival[] => [...plan.arrivals, ...(plan.channelArrivals ?? [])];

function sumOf(facts: Facts, name: string): string | undefined {
  const data = allArrivals(facts).find(({ file }) => file.name === name)?.file.data;
  return data === undefined ? undefined : sha256(data);
}
