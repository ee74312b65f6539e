import { actions, button, confirmation, line, list, note, type Piece } from '../../../slack/blocks.ts';
import type { Interaction } from '../../../slack/interaction.ts';
import { type Content, change } from '../../../slack/messages.ts';
import { andList } from '../../../slack/words.ts';
import { notifyAdmin } from '../../settings/admins/notify.ts';
import { showCard } from '../cards/notify.ts';
import { transferNotFound } from '../errors.ts';
import { readOwn } from '../lifecycle/planned.ts';
import { transfersIn } from '../repository.ts';
import type { TransferUiServices } from '../shown-kind.ts';
import type { Send } from '../transfer.ts';
import { cardValue } from './card.ts';
import { noAdminReached } from './errors.ts';

export async function askAdmin(services: TransferUiServices, interaction: Interaction, id: string): Promise<void> {
  const transfer = await readOwn(services, interaction.actor, id);
  if (transfer.kind !== 'send') throw transferNotFound();
  const notified = await notifyAdmin(services.slack, services.store, transfer, askAdminCard(transfer));
  if (notified === undefined) throw noAdminReached();
  await transfersIn(services.store).updateLocations(id, () => ({ adminQuestion: notified.location }));
  await interaction.reply('An admin has been notified.', [line('I asked ', { user: notified.person }, '.')]);
  await updateEnded(services, id);
}

/**
 * Updates the messages of a transfer that has ended: its card, and the message that asks an admin about it. A failure
 * is only logged, because the change itself is done.
 */
export async function updateEnded(services: TransferUiServices, id: string): Promise<void> {
  const { store, slack, log } = services;
  const update = async () => {
    await showCard(services, id);
    const transfer = await transfersIn(store).read(id, 'send');
    const question = transfer?.locations.adminQuestion;
    if (transfer === undefined || question === undefined) return;
    const isRetried = await transfersIn(store).isRetried(id);
    await change(await slack.clientOf(transfer.workspace), question, askAdminCard(transfer, isRetried));
  };
  await update().catch((error: unknown) =>
    log.warn({ operation: 'update card', transfer: id, err: error }, 'could not update the card'),
  );
}

/** Asks an admin what to do about unexpected files that blocked a member's transfer. */
export function askAdminCard({ id, person, progress }: Send, isRetried = false): Content {
  const names = progress.result?.names ?? [];
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
