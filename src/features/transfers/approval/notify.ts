import {
  type Content,
  change,
  isUnreachable,
  type MessageLocation,
  post,
  withDeskName,
} from '../../../slack/messages.ts';
import type { Store } from '../../../store/index.ts';
import type { Services } from '../../common/services.ts';
import { canGet } from '../../settings/permission.ts';
import { readSettings } from '../../settings/repository.ts';
import { transfersIn } from '../repository.ts';
import type { CardServices } from '../shown-kind.ts';
import type { Transfer } from '../transfer.ts';
import { approverCard, removedCard } from './card.ts';

type NotifyServices = CardServices & { log: Pick<Services['log'], 'warn' | 'error'> };

const lockTimeoutMs = 30_000;

/**
 * While the transfer waits, posts the cards for approvers and updates those of removed ones. After that, shows on the
 * cards how the wait ended. Only one process does this at a time. If it dies after Slack accepted a card and before the
 * location is stored, the approver gets a second card, because Slack has no idempotency key for messages. Its button
 * works too, and the decision counts once.
 */
export function updateApproverCards(services: NotifyServices, id: string): Promise<void> {
  const { store, log } = services;
  return store.withLock(`approval card ${id}`, AbortSignal.timeout(lockTimeoutMs), async () => {
    const transfer = await transfersIn(store).read(id);
    if (transfer === undefined) return;
    const { approverCards: cards = [] } = transfer.locations;
    if (transfer.state !== 'approval') return showOnAll(services, transfer, cards);
    const posted = new Set(cards.map(({ to }) => to));
    const targets = await targetsOf(store, transfer);
    await updateRemoved(services, transfer, targets);
    let reached = posted.size;
    for (const to of targets.filter((target) => !posted.has(target))) {
      const location = await postTo(services, transfer, to);
      if (location === undefined) continue;
      reached += 1;
      // Stored one by one, so that a retry doesn't post to the same person again.
      await transfersIn(store).updateLocations(id, ({ approverCards = [] }) => ({
        approverCards: [...approverCards, { to, ...location }],
      }));
    }
    if (reached === 0) log.error({ workspace: transfer.workspace, transfer: id }, 'no approver can be reached');
  });
}

/** Who gets a card: the approvers, people and channels, without the sender. */
async function targetsOf(store: Store, transfer: Transfer): Promise<string[]> {
  const { approvers } = await readSettings({ store }, transfer);
  return approvers.filter((approver) => approver !== transfer.person);
}

/** Posts a card. Resolves with undefined if the person or channel can't get messages. */
async function postTo(
  { store, slack, log, kinds }: NotifyServices,
  transfer: Transfer,
  to: string,
): Promise<MessageLocation | undefined> {
  const { workspace } = transfer;
  try {
    if (!(await canGet({ store, people: slack.people }, transfer, to))) return undefined;
    return await post(await slack.clientOf(workspace), to, await named(store, transfer, approverCard(kinds, transfer)));
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    log.warn({ workspace, transfer: transfer.id, err: error }, 'approver can not be reached');
    return undefined;
  }
}

async function showOnAll(
  { slack, store, kinds }: NotifyServices,
  transfer: Transfer,
  cards: readonly ApproverCard[],
): Promise<void> {
  const client = await slack.clientOf(transfer.workspace);
  const content = await named(store, transfer, approverCard(kinds, transfer));
  for (const card of cards) if (!card.removed) await change(client, card, content);
}

/** Removes the button from the cards of removed approvers, and restores it for those who were added again. */
async function updateRemoved(
  { slack, store, kinds }: NotifyServices,
  transfer: Transfer,
  targets: readonly string[],
): Promise<void> {
  const { id, locations } = transfer;
  const isOutdated = ({ to, removed = false }: ApproverCard) => targets.includes(to) === removed;
  for (const card of locations.approverCards?.filter(isOutdated) ?? []) {
    const content = card.removed ? approverCard(kinds, transfer) : removedCard(kinds, transfer);
    await change(await slack.clientOf(transfer.workspace), card, await named(store, transfer, content));
    const isCard = ({ channel, ts }: ApproverCard) => channel === card.channel && ts === card.ts;
    await transfersIn(store).updateLocations(id, ({ approverCards = [] }) => ({
      approverCards: approverCards.map((one) => (isCard(one) ? { ...one, removed: !card.removed } : one)),
    }));
  }
}

const named = async ({ credentials }: Store, transfer: Transfer, content: Content) =>
  withDeskName(content, await credentials.nameOf(transfer));

type ApproverCard = NonNullable<Transfer['locations']['approverCards']>[number];
