import { isDroplineError } from '../../../errors.ts';
import type { Store } from '../../../store/index.ts';
import type { InboxAnnouncer } from '../../common/services.ts';
import { pausesIn } from '../../settings/pause/repository.ts';
import { readSettings } from '../../settings/repository.ts';
import { type Posting, UnconfirmedPostError } from '../announce/posting.ts';
import { itemsReminder, requestReminder } from './views.ts';

/** Posts reminders at the pace of the announcer. */
export function createReminders(posting: Posting, store: Store): InboxAnnouncer['remind'] {
  return async (workspace, to, prepare) => {
    const isPerson = typeof to === 'string';
    const { expiry } = await readSettings({ store }, workspace);
    const messageOf = async () => {
      const pauses = await pausesIn(store).read(workspace);
      const reminder = await prepare();
      if (reminder?.about === 'request') return requestReminder(reminder, pauses);
      return reminder && itemsReminder(reminder.items, expiry.unit, isPerson, pauses);
    };
    // A post in the thread of a request is itself a reply and can't have replies, so the reminder goes to that thread.
    const { channel = '', threadTs } = isPerson
      ? { channel: to }
      : { channel: to.channel, threadTs: to.thread ?? to.ts };
    try {
      const location = await posting.postOnce(workspace, channel, messageOf, threadTs);
      return location === undefined ? 'nothing' : 'sent';
    } catch (error) {
      if (isDroplineError(error, 'no-channel')) return 'unreachable';
      if (error instanceof UnconfirmedPostError) return 'unconfirmed';
      throw error;
    }
  };
}
