import { z } from 'zod';
import { jobKind } from '../../../../../jobs/index.ts';
import { inTransaction, type Store } from '../../../../../store/index.ts';
import { audited } from '../../../../common/audited.ts';
import type { Actor, Services } from '../../../../common/services.ts';
import { expectAllowed } from '../../../../settings/permission.ts';
import { transferNotFound } from '../../../errors.ts';
import {
  type Checklist,
  hasDetails,
  type Transfer,
  type TransferDetails,
  type TransferWithDetails,
  transfersIn,
} from '../../../repository.ts';
import { requestsIn } from '../repository.ts';

export interface Tick {
  id: string;
  /** The position in the checklist. */
  point: number;
  isTicked: boolean;
}

/** Names in the audit log and in the metrics. */
const ticking = { action: 'tick off', change: 'ticked' } as const;
const unticking = { action: 'untick', change: 'unticked' } as const;

/** The job that shows a changed checklist. */
export const checklistKind = jobKind('checklist', ['workspace', 'transfer']);

/**
 * Ticks off a point, or undoes that. The requester and admins can do it. A request and those that repeat it list the
 * same points, so all of them change, in one transaction with one audit entry and the jobs that show the change.
 */
export function tickPoint(services: Services, actor: Actor, { id, point, isTicked }: Tick): Promise<void> {
  const { store, queue, metrics } = services;
  const { workspace } = actor;
  const { action, change } = isTicked ? ticking : unticking;
  return audited(services, actor, action, async ({ addDetails, record, skipEntry }) => {
    const transfer = await readRequest(services, actor, id);
    const { text } = transfer.details.checklist?.points[point] ?? {};
    if (text === undefined) throw transferNotFound();
    addDetails(detailsOf(transfer, text, actor.person));
    const related = await relatedRequests(store, transfer);
    let isChanged = false;
    await inTransaction(store.pool, async (client) => {
      // Locks the rows in the same order every time, so that two clicks can't deadlock.
      for (const one of related.sort()) {
        let ticked: Checklist | undefined;
        const withChange = ({ checklist }: TransferDetails) => {
          ticked = checklist && withTick(checklist, text, isTicked ? actor.person : undefined);
          return ticked && { checklist: ticked };
        };
        await transfersIn(store).annotate(one, withChange, client);
        if (ticked === undefined) continue;
        isChanged = true;
        await queue.add(checklistKind, { workspace, transfer: one }, { key: `checklist ${one}`, within: client });
      }
      if (isChanged) await record(client);
    });
    if (isChanged) metrics?.count('dropline_checklist_points_total', { change });
    else skipEntry();
  });
}

/** A request of this person; for admins, of anyone. */
export async function readRequest(services: Services, actor: Actor, id: string): Promise<TransferWithDetails> {
  await expectAllowed(services, actor, 'view');
  const transfer = z.uuid().safeParse(id).success ? await transfersIn(services.store).read(id) : undefined;
  const isRequest = transfer?.workspace === actor.workspace && transfer.kind === 'request';
  if (!isRequest || !hasDetails(transfer)) throw transferNotFound();
  if (transfer.person !== actor.person) await expectAllowed(services, actor, 'admin');
  return transfer;
}

/** The details of the audit entry. `requester`: the requester, if another person ticked the point. */
const detailsOf = ({ id, person, details }: TransferWithDetails, point: string, by: string) => ({
  point,
  recipients: details.recipients.map(({ email }) => email),
  transfer: id,
  requester: person === by ? undefined : { user: person },
});

/** Returns the checklist with the point ticked or unticked; undefined if nothing changes. */
function withTick(checklist: Checklist, text: string, by: string | undefined): Checklist | undefined {
  const isChanged = (one: Checklist['points'][number]) =>
    one.text === text && (one.ticked === undefined) !== (by === undefined);
  if (!checklist.points.some(isChanged)) return undefined;
  const changed = by === undefined ? { text } : { text, ticked: { by, at: Date.now() } };
  return { ...checklist, points: checklist.points.map((one) => (isChanged(one) ? changed : one)) };
}

/** The request and those linked to it by repeats. Follows only the requester's requests that can still be answered. */
async function relatedRequests(store: Store, transfer: Transfer): Promise<string[]> {
  const own: { id: string; repeats: string | undefined }[] = [];
  for await (const { id, person, details } of requestsIn(store).answerable(transfer))
    if (person === transfer.person) own.push({ id, repeats: details.repeats });
  const related = new Set([transfer.id]);
  for (let before = 0; before < related.size; ) {
    before = related.size;
    for (const { id, repeats = id } of own) {
      if (related.has(id) || related.has(repeats)) related.add(id).add(repeats);
    }
  }
  return [...related];
}
