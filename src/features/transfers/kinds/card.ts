import type { ModalView } from '@slack/types';
import { note } from '../../../slack/blocks.ts';
import { type Content, withoutButtons } from '../../../slack/messages.ts';
import { modal } from '../../../slack/views.ts';
import { type CardParts, type CardState, cardContent } from '../card.ts';
import type { TransferKind } from '../repository.ts';
import { requestCard } from './request/card.ts';
import { sendCard } from './send/card.ts';

const cards: Record<TransferKind, (state: CardState) => CardParts> = { dispatch: sendCard, grant: requestCard };

export function cardOf(state: CardState): Content {
  return cardContent(state.transfer, cards[state.transfer.kind](state));
}

/** What the modal shows in which the transfer was confirmed: the same as the card, without its buttons. */
export function dialogOf(state: CardState): ModalView {
  const isEnded = state.transfer.endedAt !== undefined;
  const hint = isEnded ? 'If anything changes,' : 'You can close this.';
  return modal(isEnded ? 'Transfer' : 'Sending', [
    ...withoutButtons(cardOf(state)).blocks,
    note(`${hint} I'll update you in our direct messages.`),
  ]);
}
