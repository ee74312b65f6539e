import type { ActionsBlock, ModalView, Overflow } from '@slack/types';
import { actions, note, section } from '../../../slack/blocks.ts';
import { type Content, withoutButtons } from '../../../slack/messages.ts';
import { modal } from '../../../slack/views.ts';
import { count } from '../../../slack/words.ts';
import { type CardParts, type CardState, cardContent } from '../card.ts';
import type { Confirmed } from '../operations.ts';
import { hasDetails, type Transfer, type TransferKind, type TransferWithDetails } from '../repository.ts';
import { askAgainButton, isAskable, namesOf, requestCard } from './request/card.ts';
import { isSendRepeatable, repeatButtons, repeatMenu, sendCard } from './send/card.ts';

const cards: Record<TransferKind, (state: CardState) => CardParts> = { send: sendCard, request: requestCard };

export function cardOf(state: CardState): Content {
  return cardContent(state.transfer, cards[state.transfer.kind](state));
}

const dialogTexts: Record<TransferKind, { running: string; ended: string; start: string }> = {
  send: { running: 'Sending', ended: 'Transfer', start: 'Sending.' },
  request: { running: 'Requesting', ended: 'Request', start: 'Sending the request.' },
};

/** Replaces the review of a transfer that was just confirmed, until there is more to show. */
export function confirmedView(
  kind: TransferKind,
  { ahead, needsApproval }: Pick<Confirmed, 'ahead' | 'needsApproval'>,
) {
  const { running, start } = dialogTexts[kind];
  const updateText = "I'll update you in our direct messages.";
  if (needsApproval) return modal('Review', [section(`Waiting for approval. ${updateText}`)]);
  const queueText = ahead === 0 ? '' : ` ${count(ahead, 'transfer')} ahead of yours.`;
  return modal(running, [section(`${start}${queueText} ${updateText}`)]);
}

/** The modal in which the transfer was confirmed. It shows the same as the card, without buttons. */
export function dialogOf(state: CardState): ModalView {
  const { kind, endedAt } = state.transfer;
  const isEnded = endedAt !== undefined;
  const { running, ended } = dialogTexts[kind];
  const hint = isEnded ? 'If anything changes,' : 'You can close this.';
  return modal(isEnded ? ended : running, [
    ...withoutButtons(cardOf(state)).blocks,
    note(`${hint} I'll update you in our direct messages.`),
  ]);
}

/** Buttons that repeat the reader's transfer; none if it can't be repeated. */
export function repeatBlocks(transfer: Transfer): ActionsBlock[] {
  if (!isRepeatable(transfer)) return [];
  const { kind, id } = transfer;
  return [actions(...(kind === 'request' ? [askAgainButton(id, namesOf(transfer))] : repeatButtons(id)))];
}

/** Like `repeatBlocks`, as a menu for a send in a list. */
export const repeatAccessory = (transfer: Transfer): Overflow | undefined =>
  transfer.kind === 'send' && isRepeatable(transfer) ? repeatMenu(transfer.id) : undefined;

function isRepeatable(transfer: Transfer): transfer is TransferWithDetails {
  if (!hasDetails(transfer)) return false;
  return transfer.kind === 'send' ? isSendRepeatable(transfer) : isAskable(transfer);
}
