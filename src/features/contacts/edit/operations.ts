import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { accountQueue } from '../../../jobs/index.ts';
import { type Desk, inTransaction } from '../../../store/index.ts';
import { connectionOf } from '../../common/connection.ts';
import type { Actor, Services } from '../../common/services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { changedFields, type FieldChange, pairContacts } from '../list/compare.ts';
import type { Change } from './diff.ts';
import { editKind } from './jobs.ts';
import { type EditOrigin, editsIn } from './repository.ts';

/**
 * Stores the edit and queues its job, both or neither. The job changes the contacts and tells the notifier how the edit
 * ended. Resolves with the edit's id. `inSameTransaction` runs before the commit.
 */
export async function changeContacts(
  services: Services,
  actor: Actor,
  change: Change,
  origin?: EditOrigin,
  inSameTransaction: (client: pg.PoolClient) => Promise<void> = async () => {},
): Promise<string> {
  await expectAllowed(services, actor, 'contacts');
  const { workspace, person } = actor;
  const { account } = (await connectionOf(services, actor)).exchange;
  return inTransaction(services.store.pool, async (client) => {
    const edit = await editsIn(services.store).add(client, { workspace, account, person, change, origin });
    const options = { queue: accountQueue('contacts', account), key: `contacts-edit ${edit}`, within: client };
    await services.queue.add(editKind, { workspace, edit }, options);
    await inSameTransaction(client);
    return edit;
  });
}

export interface RecentChange {
  /** Undefined if another workspace on the same account made the change. */
  person: string | undefined;
  at: Date;
  /** Set if the mobile number was replaced. */
  number?: FieldChange;
}

/**
 * Finds who last changed or added each of these contacts in the last 30 days, by lower-case address; the last change of
 * a mobile number counts more than later changes of other fields. `isAll` is false if some can be missing, because there
 * were too many changes to read.
 */
export async function recentlyChanged(
  services: Services,
  desk: Desk,
  emails: readonly string[],
): Promise<{ changes: Map<string, RecentChange>; isAll: boolean }> {
  const { account } = (await connectionOf(services, desk)).exchange;
  const addresses = new Set(emails.map((email) => email.toLowerCase()));
  const changes = new Map<string, RecentChange>();
  const { edits, isAll } = await editsIn(services.store).listRecent(account);
  for (const { lists, person, at, workspace: editWorkspace } of edits) {
    const { before, after } = lists();
    for (const { from, to } of pairContacts(before, after)) {
      const key = to?.email?.toLowerCase();
      if (key === undefined || !addresses.has(key)) continue;
      const number = from && changedFields({ from, to }).find(({ field }) => field === 'number');
      const known = changes.get(key);
      if (known !== undefined && (known.number !== undefined || number === undefined)) continue;
      changes.set(key, { person: editWorkspace === desk.workspace ? person : undefined, at, number });
    }
    await setImmediate();
  }
  return { changes, isAll: isAll || changes.size === addresses.size };
}
