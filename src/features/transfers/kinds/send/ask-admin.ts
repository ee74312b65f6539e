import { DroplineError } from '../../../../errors.ts';
import { actions, button, confirmation, line, list, note, type Piece } from '../../../../slack/blocks.ts';
import type { Interaction } from '../../../../slack/interaction.ts';
import type { Content } from '../../../../slack/messages.ts';
import { andList } from '../../../../slack/words.ts';
import type { UiServices } from '../../../common/ui-services.ts';
import { notifyAdmin } from '../../../settings/admins.ts';
import { type OpenTransfer, transfersIn } from '../../repository.ts';
import { cardValue } from './card.ts';

export async function askAdmin(services: UiServices, interaction: Interaction, id: string): Promise<void> {
  const transfer = await transfersIn(services.store).read(id);
  const { workspace, person } = interaction.actor;
  if (transfer?.details === undefined || transfer.workspace !== workspace || transfer.person !== person) {
    throw new DroplineError('not-found', 'Transfer not found.');
  }
  const card = askAdminCard({ ...transfer, details: transfer.details });
  const admin = await notifyAdmin(services.slack, services.store, workspace, card);
  if (admin === undefined) throw new DroplineError('no-place', "I couldn't reach an admin.");
  await interaction.reply('An admin has been notified.', [line('I asked ', { user: admin }, '.')]);
}

/** Asks an admin what to do about unexpected files that blocked a member's transfer. */
export function askAdminCard(transfer: OpenTransfer): Content {
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
      actions(
        button('Delete and send', 'send.remove', {
          value: cardValue.write({ id }),
          style: 'danger',
          confirm,
        }),
      ),
      note("Deleting files can't be undone. The transfer is then sent as its sender confirmed it."),
    ],
  };
}
