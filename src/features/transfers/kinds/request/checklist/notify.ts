import type { WebClient } from '@slack/web-api';
import { change, type MessageLocation, post } from '../../../../../slack/messages.ts';
import { platformErrorOf } from '../../../../../slack/platform-errors.ts';
import type { Store } from '../../../../../store/index.ts';
import type { SlackAccess } from '../../../../common/ui-services.ts';
import { hasDetails, transfersIn } from '../../../repository.ts';
import { checklistMessage } from './card.ts';

const lockTimeoutMs = 30_000;

/**
 * Posts the checklist of a request below the files that have just arrived in its thread. Deletes the previous one, so
 * that no outdated checklist can be clicked.
 */
export function offerChecklist(slack: SlackAccess, store: Store, id: string): Promise<void> {
  return withChecklist(slack, store, id, async (client, { content, cardLocation, checklistLocation }) => {
    const { channel = '', ts = '' } = cardLocation;
    const posted = await post(client, channel, content, { thread_ts: ts });
    await transfersIn(store).annotate(
      id,
      ({ checklist }) => checklist && { checklist: { ...checklist, location: posted } },
    );
    if (checklistLocation !== undefined) await remove(client, checklistLocation);
  });
}

/** Updates the message with the checklist, and the clicked message if that is another one. */
export function showChecklist(
  slack: SlackAccess,
  store: Store,
  id: string,
  clicked?: MessageLocation | undefined,
): Promise<void> {
  return withChecklist(slack, store, id, async (client, { content, checklistLocation }) => {
    if (checklistLocation !== undefined) await change(client, checklistLocation, content);
    if (clicked !== undefined && clicked.ts !== checklistLocation?.ts) await change(client, clicked, content);
  });
}

interface ChecklistMessages {
  content: ReturnType<typeof checklistMessage>;
  cardLocation: Partial<MessageLocation>;
  /** Of the checklist's current message; undefined before the first one. */
  checklistLocation: Partial<MessageLocation> | undefined;
}

/** Reads the request under a lock, so that the message shows the last change. */
function withChecklist(
  slack: SlackAccess,
  store: Store,
  id: string,
  show: (client: WebClient, state: ChecklistMessages) => Promise<void>,
): Promise<void> {
  return store.withLock(`request card ${id}`, AbortSignal.timeout(lockTimeoutMs), async () => {
    const transfer = await transfersIn(store).read(id);
    if (!hasDetails(transfer)) return;
    const { checklist, location: cardLocation, askedAgainBy } = transfer.details;
    if (checklist === undefined || cardLocation === undefined) return;
    const client = await slack.clientOf(transfer.workspace);
    const followUp = askedAgainBy === undefined ? undefined : await transfersIn(store).read(askedAgainBy);
    const content = checklistMessage(transfer, hasDetails(followUp) ? followUp : undefined);
    await show(client, { content, cardLocation, checklistLocation: checklist.location });
  });
}

/** Deletes a message. Ignores Slack's refusal, because the person could have deleted it. */
async function remove(client: WebClient, { channel = '', ts = '' }: Partial<MessageLocation>): Promise<void> {
  await client.chat.delete({ channel, ts }).catch((error: unknown) => {
    if (platformErrorOf(error) === undefined) throw error;
  });
}
