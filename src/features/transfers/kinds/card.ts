import type { Button, ModalView, Overflow } from '@slack/types';
import { actions, type Blocks, note } from '../../../slack/blocks.ts';
import { type Content, withoutButtons } from '../../../slack/messages.ts';
import { modal } from '../../../slack/views.ts';
import { type CardParts, type CardState, cardContent } from '../card.ts';
import { hasDetails, type OpenTransfer, type Transfer, type TransferKind } from '../repository.ts';
import { askAgainButton, isAskable, namesOf, requestCard } from './request/card.ts';
import { isSendRepeatable, repeatButtons, repeatMenu, sendCard } from './send/card.ts';

const cards: Record<TransferKind, (state: CardState) => CardParts> = { dispatch: sendCard, grant: requestCard };

export function cardOf(state: CardState): Content {
  return cardContent(state.transfer, cards[state.transfer.kind](state));
}

/** The modal in which the transfer was confirmed. It shows the same as the card, without buttons. */
export function dialogOf(state: CardState): ModalView {
  const isEnded = state.transfer.endedAt !== undefined;
  const hint = isEnded ? 'If anything changes,' : 'You can close this.';
  return modal(isEnded ? 'Transfer' : 'Sending', [
    ...withoutButtons(cardOf(state)).blocks,
    note(`${hint} I'll update you in our direct messages.`),
  ]);
}

/** Buttons that repeat a transfer of the reader; none if it can't be repeated. */
export function repeatBlocks(transfer: Transfer): Blocks {
  if (!isRepeatable(transfer)) return [];
  const { kind, id } = transfer;
  return [actions(...(kind === 'grant' ? [askAgainButton(id, namesOf(transfer))] : repeatButtons(id)))];
}

/** Like `repeatBlocks`, as one button or menu for an entry of a list. */
export function repeatAccessory(transfer: Transfer): Button | Overflow | undefined {
  if (!isRepeatable(transfer)) return undefined;
  return transfer.kind === 'grant' ? askAgainButton(transfer.id, namesOf(transfer)) : repeatMenu(transfer.id);
}

function isRepeatable(transfer: Transfer): transfer is OpenTransfer {
  if (!hasDetails(transfer)) return false;
  if (transfer.kind === 'dispatch') return isSendRepeatable(transfer);
  return transfer.endedAt !== undefined && isAskable(transfer.details);
}
