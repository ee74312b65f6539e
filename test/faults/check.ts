import { checkCards } from './check-cards.ts';
import { checkContacts } from './check-contacts.ts';
import { checkFetches, checkInbox } from './check-inbox.ts';
import { checkDispatches, checkRequests } from './check-outgoing.ts';
import type { Facts } from './facts.ts';

export interface Verdict {
  /** Each a promise that was broken, in words. */
  violations: string[];
  /** Posts of inbox items that were made more than once, within what is allowed. */
  repeated: number;
  /** Cards that were left behind by others, within what is allowed. */
  stale: number;
  /** Transfers of which people were told, rightly, that nobody knows. */
  unknown: number;
}

/** Compares what people confirmed with what the service delivered and what Slack shows. */
export function check(facts: Facts): Verdict {
  const inbox = checkInbox(facts);
  const cards = checkCards(facts);
  const dispatches = checkDispatches(facts);
  const requests = checkRequests(facts);
  return {
    violations: [
      ...dispatches.violations,
      ...requests.violations,
      ...cards.violations,
      ...checkContacts(facts),
      ...inbox.violations,
      ...checkFetches(facts),
      ...facts.workspaces.flatMap(({ name, refused }) => refused.map((call) => `${name}: Slack refused ${call}`)),
    ],
    repeated: inbox.repeated,
    stale: cards.stale,
    unknown: dispatches.unknown + requests.unknown,
  };
}
