import { changeOrPost } from '../../slack/tell.ts';
import type { Store } from '../../store/index.ts';
import { itemIdOf } from '../inbox/ids.ts';
import { ledgerOf, type OpenTransfer } from '../outgoing/ledger.ts';
import type { InboxItem } from '../services.ts';
import { readSettings } from '../settings/stored.ts';
import type { SlackSide } from '../ui-services.ts';
import { requestCard } from './views-card.ts';

const patienceMs = 30_000;

/**
 * Shows how a request stands, on the card in a direct message to whoever asked: one, whoever is the first to show it.
 * Resolves with whether the card is a new one.
 */
export function showRequest(slack: SlackSide, store: Store, id: string): Promise<boolean> {
  return store.withLock(`request card ${id}`, AbortSignal.timeout(patienceMs), async () => {
    const transfer = await ledgerOf(store).read(id);
    if (transfer?.details === undefined) return false;
    const { workspace, person, details } = transfer;
    const client = await slack.clientOf(workspace);
    const { ttl } = await readSettings({ store }, workspace);
    const spot = await changeOrPost(client, person, details.place, requestCard(transfer as OpenTransfer, ttl.unit));
    if (spot !== undefined) await ledgerOf(store).note(id, () => ({ place: spot }));
    return spot !== undefined;
  });
}

const mostAnswers = 100;

/** Somebody who was asked has sent something. An item counts once, however often it is told. */
export async function noteAnswers(store: Store, id: string, items: readonly InboxItem[]): Promise<void> {
  const at = Math.floor(Date.now() / 1000);
  const told = items.slice(-mostAnswers).map(({ url, sender = '', files, filesLeftOut = 0 }) => {
    return { item: itemIdOf(url), from: sender.toLowerCase(), files: new Set(files).size + filesLeftOut, at };
  });
  await ledgerOf(store).note(id, ({ answers = [] }) => {
    const known = new Set(answers.map(({ item }) => item));
    const fresh = told.filter(({ item }) => !known.has(item));
    return fresh.length === 0 ? undefined : { answers: [...answers, ...fresh].slice(-mostAnswers) };
  });
}
