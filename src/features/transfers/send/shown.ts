import type { Blocks } from '../../../slack/blocks.ts';
import { count, listedNames, sizeOf } from '../../../slack/words.ts';
import { readSettings } from '../../settings/repository.ts';
import { listedRecipients } from '../cards/card.ts';
import { warnedAttempts } from '../outcome/duplicates.ts';
import type { ShownKind } from '../shown-kind.ts';
import { type Send, sizeOfAll } from '../transfer.ts';
import { editButton, repeatAccessory, repeatSendButtons, sendCard } from './card.ts';
import { sendKind } from './kind.ts';
import { reviewOfTransfer } from './prepare.ts';
import { reviewView } from './views.ts';

const subject = ({ files }: Send) => listedNames(files.map(({ name }) => name));

export const shownSend: ShownKind<Send> = {
  ...sendKind,
  card: sendCard,
  subject,
  onHome: (transfer, isOwn) => ({
    text: `${subject(transfer)} to ${listedRecipients(transfer)}`,
    accessory: isOwn ? repeatAccessory(transfer) : undefined,
  }),
  async review(services, transfer) {
    const { expiryUnit } = await readSettings(services, transfer);
    const [earlier] = await warnedAttempts(services, transfer);
    const review = await reviewOfTransfer(services, transfer);
    const desk = await services.store.credentials.nameOf(transfer);
    return reviewView({ ...review, earlier, desk, reader: 'approver' }, expiryUnit).blocks as Blocks;
  },
  intent: ({ files }) => `wants to send ${count(files.length, 'file')} (${sizeOf(sizeOfAll(files))}) to`,
  repeatButtons: repeatSendButtons,
  editButton: ({ id }) => editButton(id),
};
