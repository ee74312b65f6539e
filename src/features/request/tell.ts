import { cutTo, limits } from '../../slack/limits.ts';
import { platformErrorOf } from '../../slack/platform-errors.ts';
import { escapeMrkdwn } from '../../slack/words.ts';
import type { Store } from '../../store/index.ts';
import { itemIdOf } from '../inbox/ids.ts';
import { ledgerOf, type OpenTransfer } from '../outgoing/ledger.ts';
import type { InboxItem } from '../services.ts';
import { readSettings } from '../settings/stored.ts';
import type { SlackSide } from '../ui-services.ts';
import { requestCard } from './views-card.ts';

const patienceMs = 30_000;

/** Shows how a request stands, on the card in a direct message to whoever asked: one, whoever is the first to show it. */
export async function showRequest(slack: SlackSide, store: Store, id: string): Promise<void> {
  await store.withLock(`request card ${id}`, AbortSignal.timeout(patienceMs), async () => {
    const transfer = await ledgerOf(store).read(id);
    if (transfer?.details === undefined) return;
    const { workspace, person, details } = transfer;
    const client = await slack.clientOf(workspace);
    const { ttl } = await readSettings({ store }, workspace);
    const { text, blocks } = requestCard(transfer as OpenTransfer, ttl.unit);
    const card = { text: cutTo(escapeMrkdwn(text), limits.fallbackText), blocks };
    const { channel, ts } = details.place ?? {};
    if (channel !== undefined && ts !== undefined) {
      const isChanged = await client.chat.update({ channel, ts, ...card }).then(
        () => true,
        (error: unknown) => {
          // The person has deleted it.
          if (platformErrorOf(error) === 'message_not_found') return false;
          throw error;
        },
      );
      if (isChanged) return;
    }
    const posted = await client.chat.postMessage({ channel: person, ...card });
    await ledgerOf(store).note(id, () => ({ place: { channel: posted.channel ?? '', ts: posted.ts ?? '' } }));
  });
}

const mostAnswers = 100;

/** Somebody who was asked has sent something. An item counts once, however often it is told. */
export async function noteAnswer(store: Store, id: string, { url, sender = '', files }: InboxItem): Promise<void> {
  const item = itemIdOf(url);
  await ledgerOf(store).note(id, ({ answers = [] }) => {
    if (answers.some((answer) => answer.item === item)) return undefined;
    const answer = { item, from: sender.toLowerCase(), files: new Set(files).size, at: Math.floor(Date.now() / 1000) };
    return { answers: [...answers, answer].slice(-mostAnswers) };
  });
}
