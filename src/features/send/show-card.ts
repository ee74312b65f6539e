import { type Content, change, post } from '../../slack/tell.ts';
import type { Visit } from '../../slack/visit.ts';
import { showCurrent } from '../outgoing/current.ts';
import { ledgerOf, type Transfer } from '../outgoing/ledger.ts';
import type { UiServices } from '../ui-services.ts';
import { cardOf } from './card.ts';
import { cancelTransfer } from './operations.ts';

/** As it is, where nobody here knows how far it has got. Undefined where what it was about is forgotten. */
function cardAtRest(transfer: Transfer | undefined, ahead = 0): Content | undefined {
  if (transfer?.details === undefined) return undefined;
  return cardOf({ transfer: { ...transfer, details: transfer.details }, progress: undefined, rate: undefined, ahead });
}

const patienceMs = 30_000;

/** Puts a transfer's card where its sender sees it, and notes where that is: one card, however often it is asked for. */
export function showCard({ store, slack }: UiServices, workspace: string, id: string): Promise<void> {
  return store.withLock(`dispatch card ${id}`, AbortSignal.timeout(patienceMs), async () => {
    const ledger = ledgerOf(store);
    const transfer = await ledger.read(id);
    if (transfer?.details?.place !== undefined) return;
    const card = cardAtRest(transfer, await ledger.ahead(id));
    if (transfer === undefined || card === undefined) return;
    const client = await slack.clientOf(workspace);
    const place = await post(client, transfer.person, card);
    const noted = await ledger.change(id, async () => ({ details: { place } }));
    if (noted !== undefined) return;
    // It was quicker than its card: then the card shows the end at once.
    const end = cardAtRest(await ledger.read(id));
    if (end !== undefined) await change(client, place, end);
  });
}

/** The card says at once that it was heard: until a dispatch that waits has stopped, others may have to end. */
export async function cancelByClick(services: UiServices, visit: Visit, id: string): Promise<void> {
  await cancelTransfer(services, visit.actor, id);
  const { message } = visit;
  if (message === undefined) return;
  await showCurrent(ledgerOf(services.store), id, async (transfer) => {
    const card = cardAtRest(transfer);
    if (card !== undefined) await change(visit.client, message, card);
  });
}
