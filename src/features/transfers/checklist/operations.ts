import { jobKind } from '../../../jobs/index.ts';
import { inTransaction, type Store } from '../../../store/index.ts';
import { audited } from '../../common/audited.ts';
import type { Actor, Services } from '../../common/services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { requestsIn } from '../answers/repository.ts';
import { transferNotFound } from '../errors.ts';
import { isOfDesk, transfersIn } from '../repository.ts';
import { type FileRequest, withoutFiles } from '../transfer.ts';

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
    const text = transfer.checklist?.points[point];
    if (text === undefined) throw transferNotFound();
    addDetails(detailsOf(transfer, text, actor.person));
    const related = await relatedRequests(store, transfer);
    let isChanged = false;
    await inTransaction(store.pool, async (client) => {
      // Locks the rows in the same order every time, so that two clicks can't deadlock.
      for (const one of related.sort()) {
        let ticks: Ticks | undefined;
        await requestsIn(store).updateAnswers(
          one,
          (request) => {
            ticks = changedTicks(request, text, isTicked ? actor.person : undefined);
            return ticks && { ticks };
          },
          client,
        );
        if (ticks === undefined) continue;
        isChanged = true;
        await queue.add(checklistKind, { workspace, transfer: one }, { key: `checklist ${one}`, within: client });
      }
      if (isChanged) await record(client);
    });
    if (isChanged) metrics?.count('dropline_checklist_points_total', { change });
    else skipEntry();
  });
}

/** A request of this person; for admins, of anyone, without the files that only the requester sees. */
export async function readRequest(services: Services, actor: Actor, id: string): Promise<FileRequest> {
  await expectAllowed(services, actor, 'view');
  const request = await transfersIn(services.store).read(id, 'request');
  if (!isOfDesk(request, actor)) throw transferNotFound();
  const { may } = await expectAllowed(services, actor, 'change', request);
  return may('own', request) ? request : withoutFiles(request);
}

/** The details of the audit entry. `requester`: the requester, if another person ticked the point. */
const detailsOf = ({ id, person, recipients }: FileRequest, point: string, by: string) => ({
  point,
  recipients: recipients.map(({ email }) => email),
  transfer: id,
  requester: person === by ? undefined : { user: person },
});

type Ticks = FileRequest['ticks'];

/** The ticks with the point ticked by this person, or unticked without one; undefined if nothing changes. */
function changedTicks({ checklist, ticks }: FileRequest, point: string, by: string | undefined): Ticks | undefined {
  const isTicked = ticks.some((tick) => tick.point === point);
  if (!checklist?.points.includes(point) || isTicked === (by !== undefined)) return undefined;
  return by === undefined ? ticks.filter((tick) => tick.point !== point) : [...ticks, { point, by, at: Date.now() }];
}

/** The request and those linked to it by repeats. Follows only the requester's requests that can still be answered. */
async function relatedRequests(store: Store, transfer: FileRequest): Promise<string[]> {
  const own: { id: string; repeats: string | undefined }[] = [];
  for await (const { id, person, repeats } of requestsIn(store).answerable(transfer))
    if (person === transfer.person) own.push({ id, repeats });
  const related = new Set([transfer.id]);
  for (let before = 0; before < related.size; ) {
    before = related.size;
    for (const { id, repeats = id } of own) {
      if (related.has(id) || related.has(repeats)) related.add(id).add(repeats);
    }
  }
  return [...related];
}
