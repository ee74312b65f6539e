import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { bounds } from '../../../lib/bounds.ts';
import { type Interaction, updateView } from '../../../slack/interaction.ts';
import { change, post, withoutButtons } from '../../../slack/messages.ts';
import type { Notifier, Progress } from '../../common/services.ts';
import { pausesIn } from '../../pause/repository.ts';
import { approvalOf } from '../../settings/approval.ts';
import { readSettings } from '../../settings/repository.ts';
import { transfersIn } from '../repository.ts';
import type { CardServices, CardState } from '../shown-kind.ts';
import type { Transfer } from '../transfer.ts';
import { cardOf, dialogOf } from './card.ts';

/** Slack allows about fifty message updates a minute per workspace. */
const updateMs = 3_000;
const lockTimeoutMs = 30_000;

/** What only the process that runs a transfer's job knows. */
interface Live {
  progress: Progress;
  rate: number | undefined;
}

interface CardUpdates extends Live {
  at: number;
  bytes: number;
  timer: NodeJS.Timeout | undefined;
  updating: Promise<unknown>;
}

/** Updates transfer cards: at most every three seconds while a transfer runs, and always at its end. */
export function createCards(services: CardServices): Pick<Notifier, 'progress' | 'transferEnded' | 'transferPaused'> {
  // A process runs at most `longJobs` transfers. It never learns the end of one that another process took over.
  const updates = new LRUCache<string, CardUpdates>({ max: 4 * bounds.longJobs });

  async function stopUpdates(id: string): Promise<void> {
    const state = updates.get(id);
    updates.delete(id);
    clearTimeout(state?.timer);
    await state?.updating;
  }

  return {
    progress({ id }, progress) {
      const now = Date.now();
      const state = updates.get(id) ?? {
        progress,
        at: now,
        bytes: progress.bytes,
        rate: undefined,
        timer: undefined,
        updating: Promise.resolve(),
      };
      updates.set(id, state);
      state.progress = progress;
      state.timer ??= setTimeout(() => {
        const seconds = (Date.now() - state.at) / 1000;
        state.rate = (state.progress.bytes - state.bytes) / Math.max(seconds, 0.001);
        state.at = Date.now();
        state.bytes = state.progress.bytes;
        state.timer = undefined;
        // A failed update doesn't matter: the next one shows the same and more.
        state.updating = showTransfer(services, id, () => updates.get(id)).catch(() => {});
      }, updateMs);
    },
    async transferPaused({ id }) {
      await stopUpdates(id);
      await showTransfer(services, id);
    },
    async transferEnded({ id }) {
      await stopUpdates(id);
      const isNew = await showTransfer(services, id);
      // Slack doesn't notify people of a changed message, only of a new one.
      if (!isNew) await notify(services, id);
    },
  };
}

/** Shows a transfer that was just confirmed. Does nothing if Slack delivers the confirmation again. */
export async function showConfirmed(services: CardServices, id: string): Promise<void> {
  const transfer = await transfersIn(services.store).read(id);
  if (transfer?.locations.card === undefined) await showTransfer(services, id);
}

/** Shows a transfer's current state wherever it is shown. Resolves with whether its card is new. */
export async function showTransfer(
  services: CardServices,
  id: string,
  live?: () => Live | undefined,
): Promise<boolean> {
  const isNew = await showCard(services, id, live);
  const transfer = await transfersIn(services.store).read(id);
  if (transfer !== undefined) await services.kinds[transfer.kind].afterCard?.(services, id);
  return isNew;
}

/**
 * Posts a transfer's card to its sender, or updates it, and the modal in which the transfer was confirmed. Reads the
 * transfer under a lock, so that an older state never replaces a newer one and there is one card.
 */
export function showCard(services: CardServices, id: string, live?: () => Live | undefined): Promise<boolean> {
  const { slack, store, kinds } = services;
  return store.withLock(`transfer card ${id}`, AbortSignal.timeout(lockTimeoutMs), async () => {
    const repository = transfersIn(store);
    const transfer = await repository.read(id);
    if (transfer === undefined) return false;
    const client = await slack.clientOf(transfer.workspace);
    const state = { ...(await cardState(services, transfer)), ...live?.() };
    await updateDialog(services, client, state);
    const content = cardOf(kinds, state);
    const { card } = transfer.locations;
    if (card !== undefined && (await change(client, card, content))) return false;
    // If the card was deleted, post a new one at the end, so that the person still learns the outcome.
    if (card !== undefined && transfer.endedAt === undefined) return false;
    const posted = await post(client, transfer.person, content);
    await repository.updateLocations(id, () => ({ card: posted }));
    return true;
  });
}

export async function cardState(
  { store, kinds }: Pick<CardServices, 'store' | 'kinds'>,
  transfer: Transfer,
): Promise<CardState> {
  const { id, kind } = transfer;
  const repository = transfersIn(store);
  const settings = await readSettings({ store }, transfer);
  const isWaiting = transfer.state === 'waiting';
  return {
    transfer,
    ahead: isWaiting ? await repository.countAhead(id) : 0,
    isRetried: await repository.isRetried(id),
    unit: settings.expiryUnit,
    pause: isWaiting ? (await pausesIn(store).read(transfer))[kinds[kind].pausedBy] : undefined,
    policy: approvalOf(settings),
    desk: await store.credentials.nameOf(transfer),
  };
}

/** Stops updating a modal that was closed. Any other failure doesn't matter: the card shows the same. */
async function updateDialog({ store, kinds }: CardServices, client: WebClient, state: CardState): Promise<void> {
  const { id, locations } = state.transfer;
  if (locations.dialog === undefined || locations.isDialogClosed === true) return;
  const hash = await updateView(client, { id: locations.dialog }, dialogOf(kinds, state)).catch(() => '');
  if (hash === undefined) await transfersIn(store).updateLocations(id, () => ({ isDialogClosed: true }));
}

/**
 * Shows the transfer's progress in the modal in which it was confirmed. From now on, the transfer's job updates the
 * modal. If the transfer has already ended or can be undone, this updates it.
 */
export async function followInDialog(services: CardServices, interaction: Interaction, id: string): Promise<void> {
  if (interaction.view === undefined) return;
  // Otherwise the answer to the form could arrive after the job's update and replace it.
  await interaction.whenReplaced();
  const { id: dialog } = interaction.view;
  const repository = transfersIn(services.store);
  let isFollowing = false;
  await repository.updateLocations(id, (locations) => {
    isFollowing = locations.dialog === dialog;
    return isFollowing ? undefined : { dialog, isDialogClosed: undefined };
  });
  const transfer = await repository.read(id);
  if (isFollowing || transfer === undefined) return;
  if (transfer.endedAt === undefined && transfer.state !== 'planned') return;
  await interaction.update(dialogOf(services.kinds, await cardState(services, transfer)));
}

/** Shows that a planned transfer can't be sent as confirmed. Slack notifies people only of a new message. */
export async function showDeleted(services: CardServices, id: string): Promise<void> {
  await showTransfer(services, id);
  await repeatCard(services, id);
}

/** Repeats the card in its thread, unless the transfer was sent as confirmed or its sender cancelled it. */
async function notify(services: CardServices, id: string): Promise<void> {
  const transfer = await transfersIn(services.store).read(id);
  if (transfer === undefined) return;
  const { state, cancelledBy, person, progress } = transfer;
  if (state === 'sent' && (progress.difference ?? progress.found ?? progress.duplicate) === undefined) return;
  if (state === 'cancelled' && cancelledBy === person) return;
  await repeatCard(services, id);
}

async function repeatCard(services: CardServices, id: string): Promise<void> {
  const transfer = await transfersIn(services.store).read(id);
  if (transfer?.locations.card === undefined) return;
  const client = await services.slack.clientOf(transfer.workspace);
  const card = cardOf(services.kinds, await cardState(services, transfer));
  // The buttons are on the card.
  const { channel, ts } = transfer.locations.card;
  await post(client, channel, withoutButtons(card), { thread_ts: ts });
}
