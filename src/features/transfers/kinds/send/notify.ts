import { change, post } from '../../../../slack/messages.ts';
import type { Store } from '../../../../store/index.ts';
import type { Notifier, Progress } from '../../../common/services.ts';
import type { SlackSide } from '../../../common/ui-services.ts';
import { showCurrent } from '../../current.ts';
import { type Transfer, type TransferDetails, transfersIn } from '../../repository.ts';
import { requestCard } from '../request/card.ts';
import { showRequest } from '../request/notify.ts';
import { cardOf } from './card.ts';

/** Slack allows about fifty message updates a minute per workspace. */
const updateMs = 3_000;

interface Shown {
  progress: Progress;
  at: number;
  bytes: number;
  rate: number | undefined;
  timer: NodeJS.Timeout | undefined;
  updating: Promise<unknown>;
}

/** Keeps transfer cards current: at most one update every three seconds while they run, and always one at the end. */
export function createCards(slack: SlackSide, store: Store): Pick<Notifier, 'progress' | 'transferEnded'> {
  const shown = new Map<string, Shown>();

  /** Resolves with whether it had to post a new card. */
  function update(workspace: string, id: string, state?: Shown): Promise<boolean> {
    const repository = transfersIn(store);
    return showCurrent(repository, id, async (transfer) => {
      if (!hasDetails(transfer)) return false;
      if (transfer.kind === 'grant') return showRequest(slack, store, id);
      const ahead = transfer.state === 'waiting' ? await repository.ahead(id) : 0;
      const card = cardOf({ transfer, progress: state?.progress, rate: state?.rate, ahead });
      const client = await slack.clientOf(workspace);
      const { place: shown } = transfer.details;
      if (shown !== undefined && (await change(client, shown, card))) return false;
      // If the card was deleted, the person must still learn of the end.
      if (transfer.endedAt === undefined) return false;
      const location = await post(client, transfer.person, card);
      await repository.annotate(id, () => ({ place: location }));
      return true;
    });
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
        // The next update replaces a lost one.
        state.updating = update(workspace, id, state).catch(() => {});
      }, updateMs);
    },
    async transferEnded({ workspace, id }) {
      const state = shown.get(id);
      shown.delete(id);
      clearTimeout(state?.timer);
      await state?.updating;
      const isNew = await update(workspace, id);
      // Slack doesn't notify people of a changed message, only of a new one.
      if (!isNew) await notify(slack, store, id);
    },
  };
}

/** Repeats what went wrong in the card's thread. */
async function notify(slack: SlackSide, store: Store, id: string): Promise<void> {
  const transfer = await transfersIn(store).read(id);
  if (!hasDetails(transfer) || transfer.details.place === undefined) return;
  const { difference, found, duplicate } = transfer.details;
  if (transfer.state === 'sent' && (difference ?? found ?? duplicate) === undefined) return;
  if (transfer.state === 'cancelled' && transfer.cancelledBy === transfer.person) return;
  const isRequest = transfer.kind === 'grant';
  const { text, blocks } = isRequest
    ? requestCard(transfer, 'own')
    : cardOf({ transfer, progress: undefined, rate: undefined, ahead: 0 });
  const { channel = '', ts = '' } = transfer.details.place;
  const client = await slack.clientOf(transfer.workspace);
  // The buttons stay on the card only.
  const content = { text, blocks: blocks.filter(({ type }) => type !== 'actions') };
  await post(client, channel, content, { thread_ts: ts });
}

function hasDetails(transfer: Transfer | undefined): transfer is Transfer & { details: TransferDetails } {
  return transfer?.details !== undefined;
}
