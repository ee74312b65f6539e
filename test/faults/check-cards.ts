import type { Facts } from './facts.ts';

/**
 * Matches the cards of transfers in progress. Replies to commands and forms begin with the same words, but go on with
 * “: paused”, “is paused” or “. I'll”.
 */
const running =
  /^\s*(Waiting for approval|Queued|Paused|Checking|Checking status|Uploading \d+ of|Sending|Cancelling|Sent)\b(?!: paused| is paused|\. I'll)/;

/**
 * Counts stale cards, which still show an ended transfer as in progress. A card becomes stale if the bot never learns
 * that Slack has accepted it; another card then reports the outcome.
 */
export function checkCards(facts: Facts): { violations: string[]; stale: number } {
  const violations: string[] = [];
  let total = 0;
  for (const { name, people, unconfirmedPosts } of facts.workspaces) {
    const stale = people.flatMap(({ messages }) => messages.filter((text) => running.test(text))).length;
    const allowed = facts.kills + facts.outages + unconfirmedPosts;
    if (stale > allowed) violations.push(`${name}: ${stale} stale cards, but at most ${allowed} are allowed`);
    total += stale;
  }
  return { violations, stale: total };
}
