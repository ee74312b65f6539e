import { contentOf, post, withDeskName } from '../../../slack/messages.ts';
import type { Store } from '../../../store/index.ts';
import type { Actor, Notifier } from '../../common/services.ts';
import type { SlackAccess } from '../../common/slack-services.ts';
import { workChangedMessage } from './views.ts';

/** Tells the person who had taken an item, in a direct message, what someone else did with it. */
export async function notifyWorkChanged(
  slack: SlackAccess,
  store: Store,
  holder: Actor,
  { item, by, what }: Parameters<Notifier['workChanged']>[1],
): Promise<void> {
  const { text, blocks } = workChangedMessage(item, by, what);
  const content = withDeskName(contentOf(text, blocks), await store.credentials.nameOf(holder));
  await post(await slack.clientOf(holder.workspace), holder.person, content);
}
