import type { Content } from '../../../slack/messages.ts';
import { type CardParts, type CardState, cardContent } from '../card.ts';
import type { TransferKind } from '../repository.ts';
import { requestCard } from './request/card.ts';
import { sendCard } from './send/card.ts';

const cards: Record<TransferKind, (state: CardState) => CardParts> = { dispatch: sendCard, grant: requestCard };

export function cardOf(state: CardState): Content {
  return cardContent(state.transfer, cards[state.transfer.kind](state));
}
