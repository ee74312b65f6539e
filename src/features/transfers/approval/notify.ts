import { change, isUnreachable, type MessageLocation, post } from '../../../slack/messages.ts';
import type { Store } from '../../../store/index.ts';
import type { Services } from '../../common/services.ts';
import type { SlackAccess } from '../../common/ui-services.ts';
import { readSettings } from '../../settings/repository.ts';
import { hasDetails, type TransferWithDetails, transfersIn } from '../repository.ts';
import { approverCard, removedCard } from './card.ts';

const lockTimeoutMs = 30_000;

/**
 * While the transfer waits, posts the cards for approvers and updates those of removed ones. After that, shows on the
 * cards how the wait ended. Only one process does this at a time. If it dies after Slack accepted a card and before the
 * location is stored, the approver gets a second card, because Slack has no idempotency key for messages. Its button
 * works too, and the decision counts once.
 */
export function updateApproverCards(
  slack: SlackAccess,
  store: Store,
  log: Pick<Services['log'], 'warn' | 'error'>,
  id: string,
): Promise<void> {
  return store.withLock(`approval card ${id}`, AbortSignal.timeout(lockTimeoutMs), async () => {
    const transfer = await transfersIn(store).read(id);
    if (!hasDetails(transfer)) return;
    const { approverCards: cards = [] } = transfer.details;
    if (transfer.state !== 'approval') return showOnAll(slack, transfer, cards);
    const posted = new Set(cards.map(({ to = '' }) => to));
    const targets = await targetsOf(store, transfer);
    await updateRemoved(slack, store, transfer, targets);
    let reached = posted.size;
    for (const to of targets.filter((target) => !posted.has(target))) {
      const location = await postTo(slack, log, transfer, to);
      if (location === undefined) continue;
      reached += 1;
      // Stored one by one, so that a retry doesn't post to the same person again.
      await transfersIn(store).annotate(id, ({ approverCards = [] }) => ({
        approverCards: [...approverCards, { to, ...location }],
      }));
    }
    if (reached === 0) log.error({ workspace: transfer.workspace, transfer: id }, 'no approver can be reached');
  });
}

/** Who gets a card: the approvers without the sender, and the approvers' channel. */
async function targetsOf(store: Store, { workspace, person }: TransferWithDetails): Promise<string[]> {
  const { approvers, channel } = (await readSettings({ store }, workspace)).policies.approval;
  return [...approvers.filter((approver) => approver !== person), ...(channel === undefined ? [] : [channel])];
}

/** Posts a card. Resolves with undefined if the person or channel can't get messages. */
async function postTo(
  slack: SlackAccess,
  log: Pick<Services['log'], 'warn'>,
  transfer: TransferWithDetails,
  to: string,
): Promise<MessageLocation | undefined> {
  const { workspace } = transfer;
  const isPerson = !/^[CG]/.test(to);
  if (isPerson && (await slack.people.roleOf({ workspace, person: to })) === 'none') return undefined;
  try {
    // The channel could have become public, or shared with another organisation, since it was chosen.
    if (!isPerson && !(await slack.people.membersOf(workspace, to))?.length) return undefined;
    return await post(await slack.clientOf(workspace), to, approverCard(transfer));
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    log.warn({ workspace, transfer: transfer.id, err: error }, 'approver can not be reached');
    return undefined;
  }
}

async function showOnAll(
  slack: SlackAccess,
  transfer: TransferWithDetails,
  cards: readonly ApproverCard[],
): Promise<void> {
  const client = await slack.clientOf(transfer.workspace);
  const content = approverCard(transfer);
  for (const { channel = '', ts = '', removed } of cards)
    if (removed === undefined) await change(client, { channel, ts }, content);
}

/** Removes the button from the cards of removed approvers, and restores it for those who were added again. */
async function updateRemoved(
  slack: SlackAccess,
  store: Store,
  transfer: TransferWithDetails,
  targets: readonly string[],
): Promise<void> {
  const isOutdated = ({ to = '', removed }: ApproverCard) => targets.includes(to) === (removed !== undefined);
  for (const card of transfer.details.approverCards?.filter(isOutdated) ?? []) {
    const { removed, ...cardFields } = card;
    const { channel = '', ts = '' } = card;
    const content = removed === undefined ? removedCard(transfer) : approverCard(transfer);
    await change(await slack.clientOf(transfer.workspace), { channel, ts }, content);
    const changed = removed === undefined ? { ...cardFields, removed: 'yes' } : cardFields;
    await transfersIn(store).annotate(transfer.id, ({ approverCards = [] }) => ({
      approverCards: approverCards.map((other) => (other.channel === channel && other.ts === ts ? changed : other)),
    }));
  }
}

type ApproverCard = Partial<Record<string, string>>;
