import { sha256 } from '../helpers/features.ts';
import type { Facts, WorkspaceFacts } from './facts.ts';
import type { Done } from './hand.ts';
import type { Arrival, Fetch } from './plan.ts';

/**
 * Every item is announced in the right channel, and repeated only if the bot never learned that its post was accepted.
 */
export function checkInbox(facts: Facts): { violations: string[]; repeated: number } {
  const violations: string[] = [];
  let repeated = 0;
  for (const workspace of facts.workspaces) {
    const own = facts.plan.arrivals.filter(({ account }) => account === workspace.account);
    const asked = askedBy(facts, workspace);
    const posts = own.map((arrival) => ({ arrival, ...postsOf(workspace, arrival) }));
    for (const { arrival, inChannel, inPrivate } of posts) {
      if (inChannel + inPrivate === 0) violations.push(`${workspace.name}: ${arrival.file.name} was never announced`);
      if (inPrivate > 0 && !asked.includes(arrival.sender))
        violations.push(`${workspace.name}: ${arrival.file.name} was announced to somebody who asked for nothing`);
    }
    const again = posts.reduce((sum, { inChannel, inPrivate }) => sum + Math.max(0, inChannel + inPrivate - 1), 0);
    // Replies and other items are posted in parallel, so a crash can repeat one of each.
    const postsPerCrash = asked.length > 0 ? 2 : 1;
    const most = postsPerCrash * (facts.kills + facts.outages) + workspace.unheardPosts;
    if (again > most) violations.push(`${workspace.name}: ${again} posts were repeated, where ${most} may be`);
    repeated += again;
  }
  return { violations, repeated };
}

function postsOf({ inbox, people }: WorkspaceFacts, { file }: Arrival) {
  const isPost = (text: string) => /^\s*\d+ files? from /.test(text) && text.includes(file.name);
  const inPrivate = people.flatMap(({ messages }) => messages.filter(isPost)).length;
  return { inChannel: inbox.filter(isPost).length, inPrivate };
}

function askedBy({ done }: Facts, { name }: WorkspaceFacts): string[] {
  return done.flatMap(({ workspace, act, came }) =>
    workspace === name && came !== 'nowhere' && act.kind === 'request' ? act.to.map(({ email }) => email) : [],
  );
}

/** Each requested download arrives complete, or the person learns why not. */
export function checkFetches(facts: Facts): string[] {
  const fetches = facts.done.filter((done): done is Done & { act: Fetch } => done.act.kind === 'fetch');
  const cut = facts.workspaces.flatMap(({ name, files }) =>
    files
      .filter((file) => file.sha256 !== sumOf(facts, file.name))
      .map((file) => `${name}: ${file.name} came otherwise than it was sent`),
  );
  const untold = fetches.flatMap(({ act, workspace, person, came }) => {
    const { people = [] } = facts.workspaces.find(({ name }) => name === workspace) ?? {};
    const { messages = [] } = people.find(({ name }) => name === person) ?? {};
    const isTold = messages.some(
      (text) =>
        text.includes(`(file: ${act.file})`) || (text.includes(act.file) && text.includes('could not be fetched')),
    );
    return came !== 'accepted' || isTold ? [] : [`${act.id}: ${person} waits for ${act.file} in vain`];
  });
  return [...cut, ...untold];
}

function sumOf({ plan }: Facts, name: string): string | undefined {
  const data = plan.arrivals.find(({ file }) => file.name === name)?.file.data;
  return data === undefined ? undefined : sha256(data);
}
