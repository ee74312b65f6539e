import { isDroplineError } from '../../../lib/errors.ts';
import { withDeskName } from '../../../slack/messages.ts';
import { UnconfirmedPostError } from '../../../slack/posting.ts';
import type { Desk } from '../../../store/index.ts';
import type { InboxItem } from '../../common/services.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import { pausesIn } from '../../pause/repository.ts';
import { readSettings } from '../../settings/repository.ts';
import { itemsReminder, type RequestReminder, requestReminder } from './views.ts';

/** What people are reminded of before it expires: items that no one has downloaded, or a request without an upload. */
export type Reminder = { about: 'items'; items: readonly InboxItem[] } | ({ about: 'request' } & RequestReminder);

/**
 * `nothing`: there was nothing to post. `unreachable`: nothing can be posted there. `unconfirmed`: Slack didn't answer,
 * so the message could be there.
 */
export type ReminderOutcome = 'sent' | 'nothing' | 'unreachable' | 'unconfirmed';

/** A thread or, without `threadTs`, a person: then `channel` is the person's id. */
export interface ReminderLocation {
  channel: string;
  threadTs?: string;
}

/**
 * Posts a reminder. Rejects only if nothing was posted, so
 * that the call can be repeated.
 *
 * @param prepare called right before the post; resolves with undefined if no reminder is needed
 */
export async function postReminder(
  { slack, store }: Pick<SlackServices, 'slack' | 'store'>,
  desk: Desk,
  to: ReminderLocation,
  prepare: () => Promise<Reminder | undefined>,
): Promise<ReminderOutcome> {
  const { expiryUnit } = await readSettings({ store }, desk);
  const messageOf = async () => {
    const pauses = await pausesIn(store).read(desk);
    const reminder = await prepare();
    if (reminder === undefined) return undefined;
    const message =
      reminder.about === 'request'
        ? requestReminder(reminder, pauses)
        : itemsReminder(reminder.items, expiryUnit, to.threadTs === undefined, pauses);
    return withDeskName(message, await store.credentials.nameOf(desk));
  };
  try {
    const location = await slack.posting.postOnce(desk.workspace, to.channel, messageOf, to.threadTs);
    return location === undefined ? 'nothing' : 'sent';
  } catch (error) {
    if (isDroplineError(error, 'no-channel')) return 'unreachable';
    if (error instanceof UnconfirmedPostError) return 'unconfirmed';
    throw error;
  }
}
