import { ErrorCode, type WebAPIPlatformError } from '@slack/web-api';
import type { Store } from '../../store/index.ts';
import { ledgerOf, type Transfer, type TransferDetails } from '../outgoing/ledger.ts';
import { showRequest } from '../request/tell.ts';
import { requestCard } from '../request/views-card.ts';
import type { Audience, Place, Progress } from '../services.ts';
import type { SlackSide } from '../ui-services.ts';
import { cardOf } from './card.ts';

/** Slack takes some fifty changes of messages a minute of a workspace. */
const updateMs = 3_000;

interface Shown {
  progress: Progress;
  at: number;
  bytes: number;
  rate: number | undefined;
  timer: NodeJS.Timeout | undefined;
  updating: Promise<void>;
}

/** Keeps the cards of transfers current: at most every three seconds while they run, and certainly at their end. */
export function createCards(
  slack: SlackSide,
  store: Store,
  everyMs = updateMs,
): Pick<Audience, 'progress' | 'transferEnded'> {
  const shown = new Map<string, Shown>();

  async function update(workspace: string, id: string, state?: Shown): Promise<void> {
    const transfer = await ledgerOf(store).read(id);
    if (!hasDetails(transfer)) return;
    if (transfer.kind === 'grant') return showRequest(slack, store, id);
    const ahead = transfer.state === 'waiting' ? await ledgerOf(store).ahead(id) : 0;
    const card = cardOf({ transfer, progress: state?.progress, rate: state?.rate, ahead });
    const client = await slack.clientOf(workspace);
    const { place } = transfer.details;
    if (place !== undefined && (await updated(client, place, card))) return;
    // Where its card has gone, its end must still be told.
    if (transfer.endedAt !== undefined) await client.chat.postMessage({ channel: transfer.person, ...card });
  }

  return {
    progress({ workspace, id }, progress) {
      const now = Date.now();
      const state = shown.get(id) ?? {
        progress,
        at: now,
        bytes: progress.bytes,
        rate: undefined,
        timer: undefined,
        updating: Promise.resolve(),
      };
      shown.set(id, state);
      state.progress = progress;
      state.timer ??= setTimeout(() => {
        const seconds = (Date.now() - state.at) / 1000;
        state.rate = (state.progress.bytes - state.bytes) / Math.max(seconds, 0.001);
        state.at = Date.now();
        state.bytes = state.progress.bytes;
        state.timer = undefined;
        // One that is lost is followed by the next.
        state.updating = update(workspace, id, state).catch(() => {});
      }, everyMs);
    },
    async transferEnded({ workspace, id }) {
      const state = shown.get(id);
      shown.delete(id);
      clearTimeout(state?.timer);
      await state?.updating;
      await update(workspace, id);
      await notify(slack, store, id);
    },
  };
}

/** A change of a message makes no sound: what went wrong is said again, in the thread of the card. */
async function notify(slack: SlackSide, store: Store, id: string): Promise<void> {
  const transfer = await ledgerOf(store).read(id);
  if (!hasDetails(transfer) || transfer.details.place === undefined) return;
  if (transfer.state === 'sent' && transfer.details.difference === undefined) return;
  if (transfer.state === 'cancelled' && transfer.cancelledBy === transfer.person) return;
  const isRequest = transfer.kind === 'grant';
  const { text } = isRequest
    ? requestCard(transfer, 'own')
    : cardOf({ transfer, progress: undefined, rate: undefined, ahead: 0 });
  const { channel = '', ts = '' } = transfer.details.place;
  const client = await slack.clientOf(transfer.workspace);
  await client.chat.postMessage({ channel, thread_ts: ts, text });
}

async function updated(
  client: Awaited<ReturnType<SlackSide['clientOf']>>,
  place: Place,
  card: ReturnType<typeof cardOf>,
): Promise<boolean> {
  const { channel = '', ts = '' } = place;
  try {
    await client.chat.update({ channel, ts, ...card });
    return true;
  } catch (error) {
    const { code, data } = error as WebAPIPlatformError;
    if (code === ErrorCode.PlatformError && ['message_not_found', 'channel_not_found'].includes(data.error))
      return false;
    throw error;
  }
}

function hasDetails(transfer: Transfer | undefined): transfer is Transfer & { details: TransferDetails } {
  return transfer?.details !== undefined;
}
