import { line } from '../../slack/blocks.ts';
import { count, escapeMrkdwn } from '../../slack/words.ts';
import type { Store } from '../../store/index.ts';
import type { InboxPoster, Place } from '../services.ts';
import { readSettings } from '../settings/stored.ts';
import type { SlackSide } from '../ui-services.ts';

/** Announces inbox items: in the inbox channel, or to whoever connected the workspace while there is none. */
export function createPoster(slack: SlackSide, store: Store): InboxPoster {
  async function post(workspace: string, text: string): Promise<Place> {
    const client = await slack.clientOf(workspace);
    const { inboxChannel } = await readSettings({ store }, workspace);
    const channel = inboxChannel ?? (await store.credentials.get(workspace))?.connectedBy ?? '';
    const posted = await client.chat.postMessage({ channel, text: escapeMrkdwn(text), blocks: [line(text)] });
    return { channel: posted.channel ?? '', ts: posted.ts ?? '' };
  }
  return {
    item: (workspace, { sender = 'somebody', files }) =>
      post(workspace, `${count(files.length, 'new file')} from ${sender}.`),
    many: (workspace, items) => post(workspace, `${count(items.length, 'new item')} in the inbox.`),
    async baseline(workspace, items) {
      await post(workspace, `Connected. ${count(items, 'item')} in the inbox.`);
    },
    async changed() {},
  };
}
