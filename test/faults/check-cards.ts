import type { Facts } from './facts.ts';

/** How the cards of transfers in progress begin. Replies to a command or a form begin like them, but end that line. */
const running =
  /^\s*(Waiting for approval|Queued|Paused|Checking|Checking status|Uploading \d+ of|Sending|Cancelling|Sent)\b(?!: paused|\. I'll)/;

/**
 * Counts stale cards, which still show an ended transfer as in progress. A card becomes stale if the bot never learns
 * that Slack has accepted it; another card then reports the outcome.
 */
export function checkCards(facts: Facts): { violations: string[]; stale: number } {
  const violations: string[] = [];
  let all = 0;
  for (const { name, people, unconfirmedPosts } of facts.workspaces) {
    const stale = people.flatMap(({ messages }) => messages.filter((text) => running.test(text))).length;
    const allowed = facts.kills + facts.outages + unconfirmedPosts;
    if (stale > allowed) violations.push(`${name}: ${stale} stale cards, but at most ${allowed} are allowed`);
    all += stale;
  }
  return { violations, stale: all };
}
