import { z } from 'zod';
import type { Store } from '../../../../../store/index.ts';
import type { Actor, Services } from '../../../../common/services.ts';
import { expectAllowed } from '../../../../settings/permission.ts';
import { transferNotFound } from '../../../errors.ts';
import { type Checklist, type Transfer, transfersIn } from '../../../repository.ts';
import { requestsIn } from '../repository.ts';

export interface Tick {
  id: string;
  /** The position in the checklist. */
  point: number;
  isTicked: boolean;
}

/**
 * Ticks off a point, or undoes that. The requester can do it, and admins. A request and those that repeat it list the
 * same points, so it counts for all of them. Resolves with the ids of this request and of the others that changed.
 */
export async function tickPoint(services: Services, actor: Actor, { id, point, isTicked }: Tick): Promise<string[]> {
  const { store, log } = services;
  await expectAllowed(services, actor, 'view');
  const transfer = z.uuid().safeParse(id).success ? await transfersIn(store).read(id) : undefined;
  if (transfer?.workspace !== actor.workspace) throw transferNotFound();
  if (transfer.person !== actor.person) await expectAllowed(services, actor, 'admin');
  const { text } = transfer.details?.checklist?.points[point] ?? {};
  if (text === undefined) throw transferNotFound();
  const ids = new Set([id]);
  for (const related of await relatedRequests(store, transfer)) {
    await transfersIn(store).annotate(related, ({ checklist }) => {
      const changed = checklist && withTick(checklist, text, isTicked ? actor.person : undefined);
      if (changed !== undefined) ids.add(related);
      return changed && { checklist: changed };
    });
  }
  log.info({ ...actor, operation: 'tick', transfer: id, point, isTicked }, 'checklist changed');
  return [...ids];
}

/** Undefined if nothing changes. */
function withTick(checklist: Checklist, text: string, by: string | undefined): Checklist | undefined {
  const isChanged = (one: Checklist['points'][number]) =>
    one.text === text && (one.ticked === undefined) !== (by === undefined);
  if (!checklist.points.some(isChanged)) return undefined;
  const changed = by === undefined ? { text } : { text, ticked: { by, at: Date.now() } };
  return { ...checklist, points: checklist.points.map((one) => (isChanged(one) ? changed : one)) };
}

/** The request, those that it repeats, and those that repeat it, as long as contacts can answer them. */
async function relatedRequests(store: Store, transfer: Transfer): Promise<string[]> {
  const open = await requestsIn(store).answerable(transfer);
  const own = open.filter(({ person }) => person === transfer.person);
  const related = new Set([transfer.id]);
  for (let before = 0; before < related.size; ) {
    before = related.size;
    for (const { id, details } of own) {
      const { repeats = id } = details;
      if (related.has(id) || related.has(repeats)) related.add(id).add(repeats);
    }
  }
  return [...related];
}
