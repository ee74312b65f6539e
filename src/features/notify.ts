import { bounds } from '../lib/bounds.ts';
import { referenceOf } from '../lib/errors.ts';
import { line } from '../slack/blocks.ts';
import { type Content, contentOf, isUnreachable, withDeskName } from '../slack/messages.ts';
import { CannotPostError } from '../slack/posting.ts';
import { andList, sizeOf } from '../slack/words.ts';
import { notifyDisconnected } from './account/leave/notify.ts';
import type { Actor, Alarm, Notifier, Services } from './common/services.ts';
import { notifyContactsEdited } from './contacts/edit/notify.ts';
import { channelChosenAnnouncement } from './inbox/announce/views.ts';
import { notifyWorkChanged } from './inbox/work/notify.ts';
import { notifyAdmin, notifyOfChanges } from './settings/admins/notify.ts';
import { notifyOfChannelGuests } from './settings/channels/notify.ts';
import { updateApproverCards } from './transfers/approval/notify.ts';
import { createCards, showTransfer } from './transfers/cards/notify.ts';
import { transfersIn } from './transfers/repository.ts';
import type { CardServices } from './transfers/shown-kind.ts';

/**
 * Tells people in Slack how work ended. Skips people who can't be reached, so that the work can continue.
 *
 * @param refreshHome publishes a person's Home again; never rejects
 */
export function createNotifier(
  services: CardServices & { log: Pick<Services['log'], 'warn' | 'error'> },
  refreshHome: (actor: Actor) => Promise<void>,
): Notifier {
  const { slack, store, log } = services;
  const cards = createCards(services);

  async function skipUnreachable(
    { workspace, id }: { workspace: string; id?: string },
    notification: Promise<unknown>,
  ): Promise<void> {
    try {
      await notification;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      log.warn(
        { workspace, ...(id === undefined ? {} : { reference: referenceOf(id) }), err: error },
        'person can no longer be reached',
      );
    }
  }

  return {
    progress: cards.progress,
    async transferEnded(transfer) {
      await skipUnreachable(transfer, cards.transferEnded(transfer));
      const { person } = (await transfersIn(store).read(transfer.id)) ?? {};
      // Home would still show the transfer as in progress.
      if (person !== undefined) await refreshHome({ workspace: transfer.workspace, person });
    },
    transferPaused: (transfer) => skipUnreachable(transfer, cards.transferPaused(transfer)),
    async approvalChanged(transfer) {
      await updateApproverCards(services, transfer.id);
      await skipUnreachable(transfer, showTransfer(services, transfer.id));
    },
    workChanged: (holder, change) => skipUnreachable(holder, notifyWorkChanged(slack, store, holder, change)),
    async alarm(desk, alarm) {
      const content = withDeskName(alarmContent(alarm), await store.credentials.nameOf(desk));
      const notified = await notifyAdmin(slack, store, desk, content, aboutHealth.has(alarm.kind) ? 'desks' : 'admin');
      if (notified === undefined)
        log.error({ workspace: desk.workspace, alarm: alarm.kind }, 'no admin can be reached');
    },
    disconnected: (actor, isClean) =>
      skipUnreachable({ workspace: actor.workspace }, notifyDisconnected(slack, actor, isClean)),
    adminNotice: (admin, notice) =>
      skipUnreachable({ workspace: admin.workspace }, notifyOfChanges(slack, store, admin, notice)),
    async channelChosen({ workspace, person }, channel) {
      await slack.posting.post(workspace, channel, channelChosenAnnouncement(person)).catch((error: unknown) => {
        // If nothing can be posted there, an admin is notified when the first files arrive.
        if (!(error instanceof CannotPostError)) throw error;
      });
    },
    guestsFound: (admin, channel, guests) =>
      skipUnreachable({ workspace: admin.workspace }, notifyOfChannelGuests(slack, admin, channel, guests)),
    contactsEdited: (edit, outcome) => skipUnreachable(edit, notifyContactsEdited(slack, store, edit, outcome)),
  };
}

/** Alarms without names, for all admins. */
const aboutHealth = new Set<Alarm['kind']>(['credentials-refused', 'outcome-unknown', 'inbox-full', 'channel-public']);

function alarmContent(alarm: Alarm): Content {
  const text = alarmText(alarm);
  if (alarm.kind === 'channel-public')
    return contentOf(text, [line(text), line('Channel: ', { channel: alarm.channel })]);
  if (alarm.kind === 'malware')
    return contentOf(text, [line(text), line(malwareIntro[alarm.direction], { user: alarm.person }, '.')]);
  if (alarm.kind === 'sender-gone')
    return contentOf(text, [line(text), line('Planned by ', { user: alarm.person }, '.')]);
  if (alarm.kind !== 'found' && alarm.kind !== 'duplicate') return contentOf(text);
  return contentOf(text, [line(text), line('Sent by ', { user: alarm.person }, '.')]);
}

const malwareIntro = { sent: 'In a transfer by ', received: 'In a download by ' };

function alarmText(alarm: Alarm): string {
  switch (alarm.kind) {
    case 'credentials-refused':
      return "The file service rejects this workspace's API key. I'll check for new files again once an admin types /drop connect and enters a valid key.";
    case 'difference':
      return `${alarm.message} Affected: ${alarm.names.join(', ')}. Sending is on hold until an admin reviews it: /drop status.`;
    case 'outcome-unknown':
      return "A transfer's delivery is unconfirmed. Sending is on hold until an admin reviews it: /drop status.";
    case 'found': {
      const earlier = alarm.after === 'failed' ? 'was probably not sent' : 'was unconfirmed';
      const resumed = alarm.wasHeld ? ' Sending is no longer on hold because of it.' : '';
      return `A ${alarm.noun} to ${andList(alarm.emails)} was sent after all. The sender was first told that it ${earlier}, and now knows that it was sent.${resumed}`;
    }
    case 'duplicate':
      return `A ${alarm.noun} to ${andList(alarm.emails)} was sent twice. The service didn't confirm the first one and its history didn't show it, so the sender sent it again. The sender has been notified.`;
    case 'sender-gone':
      return `A planned ${alarm.noun} to ${andList(alarm.emails)} wasn't sent: the person who planned it isn't allowed to send it now. If it still has to go, send it yourself.`;
    case 'malware':
      return `🛑 ${alarm.message}`;
    case 'contacts-restored':
      return `After an edit, these contacts were missing on the file service and were restored, or look different now: ${alarm.emails.join(', ')}.`;
    case 'inbox-full':
      return `The inbox records of this workspace use ${sizeOf(bounds.inboxBytes)}, the most that Dropline stores. New files aren't shown or announced until there is room. Records are deleted 90 days after their files are gone from the service, or with /drop disconnect. If you don't expect that many files, check who sends them.`;
    case 'channel-public':
      return "A channel whose members have rights here is public now, so anyone could join it. Until it's private again, its members don't have these rights. You can also remove it in /drop settings.";
  }
}
