import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { bounds } from '../../bounds.ts';
import { type Interaction, updateView } from '../../slack/interaction.ts';
import { change, post, withoutButtons } from '../../slack/messages.ts';
import type { Store } from '../../store/index.ts';
import type { Notifier, Progress } from '../common/services.ts';
import type { SlackAccess, UiServices } from '../common/ui-services.ts';
import { readSettings } from '../settings/repository.ts';
import type { CardState } from './card.ts';
import { cardOf, dialogOf } from './kinds/card.ts';
import { showRequest } from './kinds/request/notify.ts';
import { pauseOf } from './pause/checks.ts';
import { hasDetails, type Transfer, type Transfers, transfersIn } from './repository.ts';

/** Slack allows about fifty message updates a minute per workspace. */
const updateMs = 3_000;

interface CardUpdates {
  progress: Progress;
  at: number;
  bytes: number;
  rate: number | undefined;
  /** Whether the modal was closed. */
  isDialogClosed?: boolean;
  timer: NodeJS.Timeout | undefined;
  updating: Promise<unknown>;
}

/** Updates transfer cards: at most every three seconds while a transfer runs, and always at its end. */
export interface Cards extends Pick<Notifier, 'progress' | 'transferEnded' | 'transferPaused'> {
  /** Shows the current state of a transfer that isn't running. */
  refresh(transfer: { workspace: string; id: string }): Promise<void>;
}

export function createCards(slack: SlackAccess, store: Store): Cards {
  // A process runs at most `longJobs` transfers. It never learns the end of one that another process took over.
  const updates = new LRUCache<string, CardUpdates>({ max: 4 * bounds.longJobs });

  /** Resolves with whether a new card was posted. */
  function update(workspace: string, id: string, state?: CardUpdates): Promise<boolean> {
    const repository = transfersIn(store);
    return showCurrent(repository, id, async (transfer) => {
      if (!hasDetails(transfer)) return false;
      const ahead = transfer.state === 'waiting' ? await repository.countAhead(id) : 0;
      const isRetried = await repository.isRetried(id);
      const { expiry, policies } = await readSettings({ store }, workspace);
      const pause = await pauseOf({ store }, transfer);
      const { progress, rate } = state ?? {};
      const facts = { unit: expiry.unit, pause, policy: policies.approval };
      const cardState = { transfer, progress, rate, ahead, isRetried, ...facts };
      const client = await slack.clientOf(workspace);
      await updateDialog(client, cardState, state);
      if (transfer.kind === 'request') return showRequest(slack, store, id);
      const card = cardOf(cardState);
      const { location: current } = transfer.details;
      if (current !== undefined && (await change(client, current, card))) return false;
      // If the card was deleted, post a new one at the end, so that the person still learns the outcome.
      if (transfer.endedAt === undefined) return false;
      const location = await post(client, transfer.person, card);
      await repository.annotate(id, () => ({ location }));
      return true;
    });
  }

  async function stopUpdates(id: string): Promise<void> {
    const state = updates.get(id);
    updates.delete(id);
    clearTimeout(state?.timer);
    await state?.updating;
  }

  return {
    progress({ workspace, id }, progress) {
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
        state.updating = update(workspace, id, state).catch(() => {});
      }, updateMs);
    },
    refresh: async ({ workspace, id }) => void (await update(workspace, id)),
    async transferPaused({ workspace, id }) {
      await stopUpdates(id);
      await update(workspace, id);
    },
    async transferEnded({ workspace, id }) {
      await stopUpdates(id);
      const isNew = await update(workspace, id);
      // Slack doesn't notify people of a changed message, only of a new one.
      if (!isNew) await notify(slack, store, id);
    },
  };
}

/** Updates the modal in which the transfer was confirmed. A failure doesn't matter: the card shows the same. */
async function updateDialog(client: WebClient, cardState: CardState, updates: CardUpdates | undefined): Promise<void> {
  const { dialog } = cardState.transfer.details;
  if (dialog === undefined || updates?.isDialogClosed === true) return;
  const hash = await updateView(client, { id: dialog }, dialogOf(cardState)).catch(() => undefined);
  if (updates !== undefined) updates.isDialogClosed = hash === undefined;
}

/**
 * Shows the transfer's progress in the modal in which it was confirmed. From now on, the transfer's job updates the
 * modal. If the transfer has already ended, this updates it.
 */
export async function followInDialog(
  { store }: Pick<UiServices, 'store'>,
  interaction: Interaction,
  id: string,
): Promise<void> {
  if (interaction.view === undefined) return;
  // Otherwise the answer to the form could arrive after the job's update and replace it.
  await interaction.whenReplaced();
  const { id: dialog } = interaction.view;
  let isFollowing = false;
  await transfersIn(store).annotate(id, (details) => {
    isFollowing = details.dialog === dialog;
    return { dialog };
  });
  // Slack delivered the form again.
  if (isFollowing) return;
  const transfer = await transfersIn(store).read(id);
  if (!hasDetails(transfer) || transfer.endedAt === undefined) return;
  const { expiry } = await readSettings({ store }, transfer.workspace);
  await interaction.open(dialogOf({ transfer, unit: expiry.unit }));
}

/** Repeats the card in its thread, unless the transfer was sent as confirmed or its sender cancelled it. */
async function notify(slack: SlackAccess, store: Store, id: string): Promise<void> {
  const transfer = await transfersIn(store).read(id);
  if (!hasDetails(transfer) || transfer.details.location === undefined) return;
  const { difference, found, duplicate } = transfer.details;
  if (transfer.state === 'sent' && (difference ?? found ?? duplicate) === undefined) return;
  if (transfer.state === 'cancelled' && transfer.cancelledBy === transfer.person) return;
  const { channel = '', ts = '' } = transfer.details.location;
  const client = await slack.clientOf(transfer.workspace);
  // The buttons are on the card.
  await post(client, channel, withoutButtons(cardOf({ transfer })), { thread_ts: ts });
}

/**
 * Shows a transfer's current state. If the transfer ended while it was shown, shows it again: another process might
 * have shown the end first, and our outdated version would have replaced it.
 */
export async function showCurrent<T>(
  repository: Transfers,
  id: string,
  show: (transfer: Transfer | undefined) => Promise<T>,
): Promise<T> {
  const transfer = await repository.read(id);
  const result = await show(transfer);
  if (transfer === undefined || transfer.endedAt !== undefined) return result;
  const current = await repository.read(id);
  return current?.endedAt === undefined ? result : show(current);
}
