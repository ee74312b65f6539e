import { actions, button, confirmation, line, list, note, type Piece } from '../../../../slack/blocks.ts';
import type { Interaction } from '../../../../slack/interaction.ts';
import { type Content, change, post } from '../../../../slack/messages.ts';
import { andList } from '../../../../slack/words.ts';
import type { Store } from '../../../../store/index.ts';
import type { UiServices } from '../../../common/ui-services.ts';
import { notifyAdmin } from '../../../settings/notify.ts';
import { readSettings } from '../../../settings/repository.ts';
import { transferNotFound } from '../../errors.ts';
import { showCurrent } from '../../notify.ts';
import { cancelTransfer } from '../../operations.ts';
import { pauseOf } from '../../pause/checks.ts';
import { hasDetails, type Transfer, type TransferWithDetails, transfersIn } from '../../repository.ts';
import { cardOf } from '../card.ts';
import { cardValue } from './card.ts';
import { noAdminReached } from './errors.ts';

/** The card without the progress, which only the job's process has. Undefined if the details have been deleted. */
async function cardWithoutProgress(
  store: Store,
  transfer: Transfer | undefined,
  ahead = 0,
): Promise<Content | undefined> {
  if (!hasDetails(transfer)) return undefined;
  const { expiry, policies } = await readSettings({ store }, transfer.workspace);
  const pause = await pauseOf({ store }, transfer);
  return cardOf({ transfer, ahead, unit: expiry.unit, pause, policy: policies.approval });
}

const lockTimeoutMs = 30_000;

/** Posts a transfer's card to its sender and stores the card's location. Later calls do nothing. */
export function showCard({ store, slack }: UiServices, workspace: string, id: string): Promise<void> {
  return store.withLock(`transfer card ${id}`, AbortSignal.timeout(lockTimeoutMs), async () => {
    const repository = transfersIn(store);
    const transfer = await repository.read(id);
    if (transfer?.details?.location !== undefined) return;
    const card = await cardWithoutProgress(store, transfer, await repository.countAhead(id));
    if (transfer === undefined || card === undefined) return;
    const client = await slack.clientOf(workspace);
    const location = await post(client, transfer.person, card);
    const stored = await repository.change(id, async () => ({ details: { location } }));
    if (stored !== undefined) return;
    // The transfer ended before the card's location was stored, so the card doesn't show the end yet.
    const end = await cardWithoutProgress(store, await repository.read(id));
    if (end !== undefined) await change(client, location, end);
  });
}

/** Cancels, and updates the card immediately: a waiting transfer ends only after those ahead of it in the queue. */
export async function cancelByClick(services: UiServices, interaction: Interaction, id: string): Promise<void> {
  await cancelTransfer(services, interaction.actor, id);
  const { message } = interaction;
  if (message === undefined) return;
  await showCurrent(transfersIn(services.store), id, async (transfer) => {
    const card = await cardWithoutProgress(services.store, transfer);
    if (card !== undefined) await change(interaction.client, message, card);
  });
}

export async function askAdmin(services: UiServices, interaction: Interaction, id: string): Promise<void> {
  const transfer = await transfersIn(services.store).read(id);
  const { workspace, person } = interaction.actor;
  if (transfer?.details === undefined || transfer.workspace !== workspace || transfer.person !== person) {
    throw transferNotFound();
  }
  const card = askAdminCard({ ...transfer, details: transfer.details });
  const notified = await notifyAdmin(services.slack, services.store, workspace, card);
  if (notified === undefined) throw noAdminReached();
  await transfersIn(services.store).annotate(id, () => ({ asked: notified.location }));
  await interaction.reply('An admin has been notified.', [line('I asked ', { user: notified.person }, '.')]);
  await updateEnded(services, id);
}

/**
 * Updates the messages of a transfer that has ended: its card, and the message that asks an admin about it. A failure
 * is only logged, because the change itself is done.
 */
export async function updateEnded({ store, slack, log }: UiServices, id: string): Promise<void> {
  const update = async () => {
    const transfer = await transfersIn(store).read(id);
    if (!hasDetails(transfer)) return;
    const isRetried = await transfersIn(store).isRetried(id);
    const client = await slack.clientOf(transfer.workspace);
    const { location, asked } = transfer.details;
    if (location !== undefined) await change(client, location, cardOf({ transfer, isRetried }));
    if (asked !== undefined) await change(client, asked, askAdminCard(transfer, isRetried));
  };
  await update().catch((error: unknown) =>
    log.warn({ operation: 'update card', transfer: id, err: error }, 'could not update the card'),
  );
}

/** Asks an admin what to do about unexpected files that blocked a member's transfer. */
export function askAdminCard(transfer: TransferWithDetails, isRetried = false): Content {
  const { id, person, details } = transfer;
  const names = details.result?.names ?? [];
  const confirm = confirmation('Delete these files and send?', andList(names, 6), 'Delete and send', 'Keep files');
  const items = names.slice(0, 20).map((name): Piece[] => [{ bold: name }]);
  return {
    text: 'Unexpected files on the account block a transfer.',
    blocks: [
      line(
        { user: person },
        " wants to send files, but the account contains unexpected files that would be sent too. Dropline didn't upload them:",
      ),
      list(items),
      ...(isRetried
        ? [note('The transfer was tried again.')]
        : [
            actions(
              button('Delete and send', 'send.remove', { value: cardValue.write({ id }), style: 'danger', confirm }),
            ),
            note("Deleting files can't be undone. The transfer is then sent as its sender confirmed it."),
          ]),
    ],
  };
}
