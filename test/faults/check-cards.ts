import type { Facts } from './facts.ts';

const running = /^\s*(Waiting|Checking|Uploading \d+ of|Sending|Finding out|Sent)\b/;

/**
 * Cards that say forever that a transfer is in progress. One is left behind when the bot never learns that Slack has
 * accepted it; another card then reports the end.
 */
export function checkCards(facts: Facts): { violations: string[]; stale: number } {
  const violations: string[] = [];
  let all = 0;
  for (const { name, people, unheardPosts } of facts.workspaces) {
    const stale = people.flatMap(({ messages }) => messages.filter((text) => running.test(text))).length;
    const most = facts.kills + facts.outages + unheardPosts;
    if (stale > most) violations.push(`${name}: ${stale} cards never ended, where ${most} may be`);
    all += stale;
  }
  return { violations, stale: all };
}
