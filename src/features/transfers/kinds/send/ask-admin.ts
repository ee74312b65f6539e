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
    throw new DroplineError('not-found', 'There is no such dispatch of yours (any more).');
  }
  const card = askAdminCard({ ...transfer, details: transfer.details });
  const admin = await notifyAdmin(services.slack, services.store, workspace, card);
  if (admin === undefined) throw new DroplineError('no-place', 'None of the admins that I know can be reached.');
  await interaction.reply('I have asked an admin.', [line('I have asked ', { user: admin }, '.')]);
}

/** Asks an admin what to do about unexpected files that blocked a member's transfer. */
export function askAdminCard(transfer: OpenTransfer): Content {
  const { id, person, details } = transfer;
  const names = details.result?.names ?? [];
  const confirm = confirmation('Remove these files and send?', andList(names, 6), 'Remove and send', 'Leave them');
  const items = names.slice(0, 20).map((name): Piece[] => [{ bold: name }]);
  return {
    text: 'Files that Dropline did not put there lie on the account and stop a dispatch.',
    blocks: [
      line(
        { user: person },
        ' wants to send files, but these lie on the account and would be sent along. Dropline did not put them there:',
      ),
      list(items),
      actions(
        button('Remove them and send', 'send.remove', {
          value: cardValue.write({ id }),
          style: 'danger',
          confirm,
        }),
      ),
      note('Removing them cannot be undone. The dispatch is then sent just as its sender confirmed it.'),
    ],
  };
}
