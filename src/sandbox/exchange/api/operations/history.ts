import type { Answer } from '../../http/answer.ts';
import type { Account, Contact, Drop, InboxItem, StoredFile } from '../../state/model.ts';
import { isLive } from '../../state/world.ts';
import { jsonReply } from '../replies.ts';
import type { ApiRequest } from '../request.ts';

/** How often the history was read since each drop was created, for `historyLag`. */
const reads = new WeakMap<Drop, number>();

export function getHistory({ world, account }: ApiRequest): Answer {
  const shown = account.drops.filter((drop) => {
    const earlierReads = reads.get(drop) ?? 0;
    reads.set(drop, earlierReads + 1);
    return earlierReads >= world.behaviour.historyLag;
  });
  const live = shown.filter((drop) => isLive(world, drop)).length;
  return jsonReply({
    history: shown.map((drop) => historyEntry(account, drop)),
    [world.behaviour.liveDropsField]: String(live),
    // "Each downloadable file set": expired items are not downloadable.
    inbox: account.inbox.filter((item) => isLive(world, item)).map(inboxEntry),
  });
}

function historyEntry(account: Account, drop: Drop) {
  return {
    drop_type: drop.type,
    create_time: seconds(drop.createdAt),
    ttl: String(drop.ttl),
    receivers: drop.receivers.map(receiverEntry),
    ddmessage: drop.message,
    sender: {
      email: account.user,
      number: account.number,
      lang: 'en',
      first_run: 'false',
      accountType: 'api',
      change_passwd: 'false',
      settings: { show_number: 'true', show_email: 'true', show_lang: 'false', show_nick: 'true' },
    },
    files: drop.files.map(fileReference),
  };
}

function inboxEntry(item: InboxItem) {
  return {
    ttl: String(item.ttl),
    createtime: seconds(item.createdAt),
    sender: item.sender,
    files: item.files.map(fileReference),
    url: item.url,
  };
}

/** "A receiver entry in history may also carry a string field `name`": here, receivers with a nickname have it. */
function receiverEntry(receiver: Contact): Contact {
  return typeof receiver.nick === 'string' && receiver.nick !== '' ? { name: receiver.nick, ...receiver } : receiver;
}

function fileReference({ name }: StoredFile) {
  return { name, settings: '[]' };
}

function seconds(milliseconds: number): string {
  return String(Math.floor(milliseconds / 1000));
}
