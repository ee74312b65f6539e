import type { WebClient } from '@slack/web-api';
import { change, deleteMessage, type MessageLocation, post } from '../../../slack/messages.ts';
import { transfersIn } from '../repository.ts';
import type { CardServices } from '../shown-kind.ts';
import { checklistMessage } from './card.ts';

type NotifyServices = Pick<CardServices, 'slack' | 'store'>;

const lockTimeoutMs = 30_000;

/**
 * Posts the checklist of a request below the files that have just arrived in its thread. Deletes the previous one, so
 * that no outdated checklist can be clicked.
 */
export function offerChecklist(services: NotifyServices, id: string): Promise<void> {
  return withChecklist(services, id, async (client, { content, cardLocation, checklistLocation }) => {
    const { channel, ts } = cardLocation;
    const posted = await post(client, channel, content, { thread_ts: ts });
    await transfersIn(services.store).updateLocations(id, () => ({ checklist: posted }));
    if (checklistLocation !== undefined) await deleteMessage(client, checklistLocation);
  });
}

/** Updates the message with the checklist, and the clicked message if that is another one. */
export function showChecklist(services: NotifyServices, id: string, clicked?: MessageLocation): Promise<void> {
  return withChecklist(services, id, async (client, { content, checklistLocation }) => {
    if (checklistLocation !== undefined) await change(client, checklistLocation, content);
    if (clicked !== undefined && clicked.ts !== checklistLocation?.ts) await change(client, clicked, content);
  });
}

interface ChecklistMessages {
  content: ReturnType<typeof checklistMessage>;
  cardLocation: MessageLocation;
  /** Of the checklist's current message; undefined before the first one. */
  checklistLocation: MessageLocation | undefined;
}

/** Reads the request under a lock, so that the message shows the last change. */
function withChecklist(
  { slack, store }: NotifyServices,
  id: string,
  show: (client: WebClient, state: ChecklistMessages) => Promise<void>,
): Promise<void> {
  return store.withLock(`checklist ${id}`, AbortSignal.timeout(lockTimeoutMs), async () => {
    const request = await transfersIn(store).read(id, 'request');
    if (request?.checklist === undefined || request.locations.card === undefined) return;
    const { card: cardLocation, checklist: checklistLocation } = request.locations;
    const client = await slack.clientOf(request.workspace);
    const followUp = request.askedAgain && (await transfersIn(store).read(request.askedAgain.by, 'request'));
    const content = checklistMessage(request, followUp);
    await show(client, { content, cardLocation, checklistLocation });
  });
}
