import type { Blocks } from '../../../slack/blocks.ts';
import { readSettings } from '../../settings/repository.ts';
import { listedRecipients } from '../cards/card.ts';
import { typedRequest } from '../checklist/fields.ts';
import { warnedAttempts } from '../outcome/duplicates.ts';
import type { ShownKind } from '../shown-kind.ts';
import type { FileRequest } from '../transfer.ts';
import { repeatRequestButtons, requestCard, uploadsText, viewButton } from './card.ts';
import { requestKind } from './kind.ts';
import { showRepeated } from './notify.ts';
import { confirmView } from './views.ts';

export const shownRequest: ShownKind<FileRequest> = {
  ...requestKind,
  card: requestCard,
  subject: () => 'File request',
  onHome: (transfer) => ({
    text: `Requested from ${listedRecipients(transfer)}`,
    accessory: viewButton(transfer),
    status: uploadsText(transfer),
  }),
  async review(services, transfer) {
    const { expiryUnit } = await readSettings(services, transfer);
    const { id: reviewId, recipients, expiresAfter, expiryDate, plannedFor } = transfer;
    const [earlier] = await warnedAttempts(services, transfer);
    const desk = await services.store.credentials.nameOf(transfer);
    const shown = { reviewId, recipients, expiresAfter, expiryDate, plannedFor, unit: expiryUnit, earlier, desk };
    return confirmView({ ...typedRequest(transfer), ...shown, reader: 'approver' }).blocks as Blocks;
  },
  intent: () => 'wants to request files from',
  repeatButtons: repeatRequestButtons,
  editButton: (transfer) => repeatRequestButtons(transfer)[0],
  afterCard: showRepeated,
};
