import { checkApprovals } from './check-approvals.ts';
import { checkCards } from './check-cards.ts';
import { checkContactCards } from './check-contact-cards.ts';
import { checkContacts } from './check-contacts.ts';
import { checkFetches, checkInbox } from './check-inbox.ts';
import { checkReminders } from './check-reminders.ts';
import { checkRequests, checkSends } from './check-transfers.ts';
import type { Facts } from './facts.ts';

export interface Verdict {
  /** Each violated rule, as text. */
  violations: string[];
  /** Repeated posts of inbox items. More than allowed are a violation. */
  repeated: number;
  /** Stale cards. More than allowed are a violation. */
  stale: number;
  /** Transfers that were reported as unknown. */
  unknown: number;
  /** Reminders that people got. */
  reminders: number;
}

/** Compares what people confirmed with what the service delivered and what Slack shows. */
export function check(facts: Facts): Verdict {
  const inbox = checkInbox(facts);
  const cards = checkCards(facts);
  const sends = checkSends(facts);
  const requests = checkRequests(facts);
  const reminders = checkReminders(facts);
  return {
    violations: [
      ...sends.violations,
      ...requests.violations,
      ...checkApprovals(facts),
      ...cards.violations,
      ...checkContacts(facts),
      ...checkContactCards(facts),
      ...inbox.violations,
      ...checkFetches(facts),
      ...reminders.violations,
      ...facts.workspaces.flatMap(({ name, refused }) => refused.map((call) => `${name}: Slack refused ${call}`)),
    ],
    repeated: inbox.repeated,
    stale: cards.stale,
    unknown: sends.unknown + requests.unknown,
    reminders: reminders.reminders,
  };
}
