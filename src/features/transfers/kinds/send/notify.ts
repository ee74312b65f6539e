import type { Interaction } from '../../../../slack/interaction.ts';
import { type Content, change, post } from '../../../../slack/messages.ts';
import type { UiServices } from '../../../common/ui-services.ts';
import { showCurrent } from '../../current.ts';
import { cancelTransfer } from '../../operations.ts';
import { hasDetails, type Transfer, transfersIn } from '../../repository.ts';
import { cardOf } from '../../views.ts';

/** Omits the progress, which only the job's process knows. Undefined if the details have been deleted. */
function cardWithoutProgress(transfer: Transfer | undefined, ahead = 0): Content | undefined {
  return hasDetails(transfer) ? cardOf({ transfer, ahead }) : undefined;
}

const lockTimeoutMs = 30_000;

/** Posts a transfer's card to its sender and stores the card's location. Later calls do nothing. */
export function showCard({ store, slack }: UiServices, workspace: string, id: string): Promise<void> {
  return store.withLock(`dispatch card ${id}`, AbortSignal.timeout(lockTimeoutMs), async () => {
    const repository = transfersIn(store);
    const transfer = await repository.read(id);
    if (transfer?.details?.place !== undefined) return;
    const card = cardWithoutProgress(transfer, await repository.ahead(id));
    if (transfer === undefined || card === undefined) return;
    const client = await slack.clientOf(workspace);
    const location = await post(client, transfer.person, card);
    const stored = await repository.change(id, async () => ({ details: { place: location } }));
    if (stored !== undefined) return;
    // The transfer ended before the card's location was stored, so its end isn't on the card yet.
    const end = cardWithoutProgress(await repository.read(id));
    if (end !== undefined) await change(client, location, end);
  });
}

/** Cancels, and updates the card at once: a waiting transfer stops only after the ones ahead of it have ended. */
export async function cancelByClick(services: UiServices, interaction: Interaction, id: string): Promise<void> {
  await cancelTransfer(services, interaction.actor, id);
  const { message } = interaction;
  if (message === undefined) return;
  await showCurrent(transfersIn(services.store), id, async (transfer) => {
    const card = cardWithoutProgress(transfer);
    if (card !== undefined) await change(interaction.client, message, card);
  });
}
