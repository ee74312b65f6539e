import { changeOrPost } from '../../slack/messages.ts';
import type { Store } from '../../store/index.ts';
import { itemIdOf } from '../inbox/ids.ts';
import type { InboxItem } from '../services.ts';
import { readSettings } from '../settings/stored.ts';
import { type OpenTransfer, transfersIn } from '../transfers/repository.ts';
import type { SlackSide } from '../ui-services.ts';
import { requestCard } from './views-card.ts';

const patienceMs = 30_000;

/**
 * Shows how a request stands, on the card in a direct message to whoever asked: one, whoever is the first to show it.
 * Resolves with whether the card is a new one.
 */
export function showRequest(slack: SlackSide, store: Store, id: string): Promise<boolean> {
  return store.withLock(`request card ${id}`, AbortSignal.timeout(patienceMs), async () => {
    const transfer = await transfersIn(store).read(id);
    if (transfer?.details === undefined) return false;
    const { workspace, person, details } = transfer;
    const client = await slack.clientOf(workspace);
    const { ttl } = await readSettings({ store }, workspace);
    const location = await changeOrPost(client, person, details.place, requestCard(transfer as OpenTransfer, ttl.unit));
    if (location !== undefined) await transfersIn(store).annotate(id, () => ({ place: location }));
    return location !== undefined;
  });
}

const mostAnswers = 100;

/** Somebody who was asked has sent something. An item counts once, however often it is told. */
export async function recordAnswers(store: Store, id: string, items: readonly InboxItem[]): Promise<void> {
  const at = Math.floor(Date.now() / 1000);
  const told = items.slice(-mostAnswers).map(({ url, sender = '', files, filesLeftOut = 0 }) => {
    return { item: itemIdOf(url), from: sender.toLowerCase(), files: new Set(files).size + filesLeftOut, at };
  });
  await transfersIn(store).annotate(id, ({ answers = [] }) => {
    const known = new Set(answers.map(({ item }) => item));
    const fresh = told.filter(({ item }) => !known.has(item));
    return fresh.length === 0 ? undefined : { answers: [...answers, ...fresh].slice(-mostAnswers) };
  });
}
