import type { Store } from '../../../store/index.ts';
import { requestsIn } from '../answers/repository.ts';
import { showCard } from '../cards/notify.ts';
import { showChecklist } from '../checklist/notify.ts';
import { transfersIn } from '../repository.ts';
import type { CardServices } from '../shown-kind.ts';

/** If the request was sent and repeats another one, updates the card and the checklist of that one too. */
export async function showRepeated(services: CardServices, id: string): Promise<void> {
  const repeated = await markRepeated(services.store, id);
  if (repeated === undefined) return;
  await showCard(services, repeated);
  await showChecklist(services, repeated);
}

/**
 * Records on the repeated request that this one was sent. Resolves with its id if it isn't known to show that yet:
 * after a crash, the job that notifies of the end shows it again.
 */
async function markRepeated(store: Store, id: string): Promise<string | undefined> {
  const { state, endedAt, notifiedAt, repeats } = (await transfersIn(store).read(id)) ?? {};
  if (state !== 'sent' || endedAt === undefined || repeats === undefined) return undefined;
  let isMarked = false;
  await requestsIn(store).updateAnswers(repeats, ({ askedAgain }) => {
    isMarked = askedAgain === undefined || askedAgain.by === id;
    return askedAgain === undefined ? { askedAgain: { at: endedAt.getTime(), by: id } } : undefined;
  });
  return isMarked && notifiedAt === undefined ? repeats : undefined;
}
