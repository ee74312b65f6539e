import type { WebClient } from '@slack/web-api';
import { change, type MessageLocation, post } from '../../../../../slack/messages.ts';
import { platformErrorOf } from '../../../../../slack/platform-errors.ts';
import type { Store } from '../../../../../store/index.ts';
import type { SlackAccess } from '../../../../common/ui-services.ts';
import { hasDetails, transfersIn } from '../../../repository.ts';
import { checklistMessage } from './card.ts';

const lockTimeoutMs = 30_000;

/**
 * Offers the points of a request below the files that have just arrived in its thread. Only the last such message
 * stays, so no outdated one can be clicked.
 */
export function offerChecklist(slack: SlackAccess, store: Store, id: string): Promise<void> {
  return withChecklist(slack, store, id, async (client, { content, card, shown }) => {
    const { channel = '', ts = '' } = card;
    const posted = await post(client, channel, content, { thread_ts: ts });
    await transfersIn(store).annotate(
      id,
      ({ checklist }) => checklist && { checklist: { ...checklist, place: posted } },
    );
    if (shown !== undefined) await remove(client, shown);
  });
}

/** Updates the message with the points, and the clicked one if that is another. */
export function showChecklist(
  slack: SlackAccess,
  store: Store,
  id: string,
  clicked?: MessageLocation | undefined,
): Promise<void> {
  return withChecklist(slack, store, id, async (client, { content, shown }) => {
    if (shown !== undefined) await change(client, shown, content);
    if (clicked !== undefined && clicked.ts !== shown?.ts) await change(client, clicked, content);
  });
}

interface Shown {
  content: ReturnType<typeof checklistMessage>;
  card: Partial<MessageLocation>;
  shown: Partial<MessageLocation> | undefined;
}

/** Reads the request under a lock, so that the message shows the last change. */
function withChecklist(
  slack: SlackAccess,
  store: Store,
  id: string,
  show: (client: WebClient, state: Shown) => Promise<void>,
): Promise<void> {
  return store.withLock(`request card ${id}`, AbortSignal.timeout(lockTimeoutMs), async () => {
    const transfer = await transfersIn(store).read(id);
    if (!hasDetails(transfer)) return;
    const { checklist, place: card, askedAgainBy } = transfer.details;
    if (checklist === undefined || card === undefined) return;
    const client = await slack.clientOf(transfer.workspace);
    const followUp = askedAgainBy === undefined ? undefined : await transfersIn(store).read(askedAgainBy);
    const content = checklistMessage(transfer, hasDetails(followUp) ? followUp : undefined);
    await show(client, { content, card, shown: checklist.place });
  });
}

/** Deletes a message. Ignores refusals, because the person can have deleted it. */
async function remove(client: WebClient, { channel = '', ts = '' }: Partial<MessageLocation>): Promise<void> {
  await client.chat.delete({ channel, ts }).catch((error: unknown) => {
    if (platformErrorOf(error) === undefined) throw error;
  });
}
