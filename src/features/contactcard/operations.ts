import { bounds } from '../../lib/bounds.ts';
import type { Desk } from '../../store/index.ts';
import { deskOf } from '../common/connection.ts';
import type { Actor, InboxItem, Services } from '../common/services.ts';
import { type RecentChange, recentlyChanged } from '../contacts/edit/operations.ts';
import type { ContactWithEmail } from '../contacts/list/ids.ts';
import { type ListedTransfer, readHistoryPage } from '../history/operations.ts';
import { viewerOf } from '../inbox/items/permission.ts';
import { itemsSeenBy } from '../inbox/items/seen.ts';
import { expiryOf } from '../settings/expiry.ts';
import { expectAllowed, isDomainAllowed } from '../settings/permission.ts';
import type { ExpiryUnit } from '../settings/repository.ts';
import { entryHashesIn } from '../transfers/history/repository.ts';
import { transfersIn } from '../transfers/repository.ts';
import type { FileRequest } from '../transfers/transfer.ts';
import { isComplete, withoutFiles } from '../transfers/transfer.ts';

/** What a person can see of the transfers to and from a contact, and do with the contact. */
export interface TransferHistory {
  /**
   * Newest first, without the requests below; undefined if the person isn't allowed to send, because then they have no
   * history.
   */
  sent: { transfers: ListedTransfer[]; total: number } | 'unreadable' | undefined;
  /** Newest first; undefined if the person isn't allowed to download. `searched`: see `Found`. */
  received: { items: InboxItem[]; searched?: number; areUnknown?: boolean } | undefined;
  /**
   * Requests that the contact hasn't answered and still can, or that aren't sent yet; newest first. Members see their
   * own.
   */
  requests: FileRequest[];
  /** The last change of the contact, if it was in the last 30 days. */
  change: RecentChange | undefined;
  canSend: boolean;
  canRequest: boolean;
  /** The unit of times to live. */
  unit: ExpiryUnit;
}

const maxShown = 5;

export async function readTransferHistory(
  services: Services,
  actor: Actor,
  contact: ContactWithEmail,
): Promise<TransferHistory> {
  const access = await expectAllowed(services, actor, 'view');
  const { settings, isAdmin, may } = access;
  const { email } = contact;
  const { person } = actor;
  const desk = await deskOf(services, actor);
  const { expiryUnit: unit } = settings;
  const requests = await openRequests(services, { ...desk, ...(isAdmin ? {} : { person }) }, email, unit);
  const readReceived = async () => {
    const { viewer, areUnknown } = await viewerOf(services, desk, access);
    return { ...(await itemsSeenBy(services.store, viewer).latestFrom(email, maxShown)), areUnknown };
  };
  const [sent, received, { changes }] = await Promise.all([
    may('history') ? readSent(services, actor, email, requests) : undefined,
    may('download') ? readReceived() : undefined,
    recentlyChanged(services, actor, [email]),
  ]);
  const isRecipient = isDomainAllowed(settings, email);
  return {
    sent,
    received,
    requests: requests.map((request) => (may('own', request) ? request : withoutFiles(request))),
    change: changes.get(email.toLowerCase()),
    canSend: isRecipient && may('send'),
    // While requests are off, the button tells admins how to turn them on.
    canRequest: isRecipient && may('request') && (settings.requests || isAdmin),
    unit,
  };
}

/** Reads what was sent to the contact. If the history can't be read, the rest of the card is still shown. */
async function readSent(
  services: Services,
  actor: Actor,
  email: string,
  requests: readonly FileRequest[],
): Promise<TransferHistory['sent']> {
  try {
    const except = await entryHashesIn(services.store).hashesOf(requests.map(({ id }) => id));
    const { entries, total } = await readHistoryPage(services, actor, { recipient: email, except, pageSize: maxShown });
    return { transfers: entries, total };
  } catch (error) {
    services.log.warn({ ...actor, err: error }, 'could not read what was sent to a contact');
    return 'unreadable';
  }
}

const answerableMs = 30 * 86_400_000;

/** Recipients are encrypted, so this looks through the latest requests. */
async function openRequests(
  { store }: Services,
  filter: Required<Desk> & { person?: string },
  email: string,
  unit: ExpiryUnit,
): Promise<FileRequest[]> {
  const latest = { ...filter, kinds: ['request'], limit: bounds.requestsSearched } as const;
  const address = email.toLowerCase();
  const isOpen = (request: FileRequest) =>
    request.endedAt === undefined || (Date.now() < endOf(request, unit) && !hasAnswered(request, address));
  // If the contact was asked again, only the later request is open.
  const repeated = new Set<string | undefined>();
  const readOpenIds = async (requests: AsyncIterable<FileRequest>) => {
    const ids: string[] = [];
    for await (const request of requests) {
      if (!request.recipients.some((recipient) => recipient.email.toLowerCase() === address)) continue;
      if (request.state === 'sent') repeated.add(request.repeats);
      if (isOpen(request)) ids.push(request.id);
    }
    return ids;
  };
  const active = await readOpenIds(transfersIn(store).active(latest));
  const ended = await readOpenIds(transfersIn(store).ended({ ...latest, states: ['sent', 'unknown'] }));
  const shown = [...active.reverse(), ...ended].filter((id) => !repeated.has(id)).slice(0, maxShown);
  const requests = await Promise.all(shown.map((id) => transfersIn(store).read(id, 'request')));
  return requests.filter((request) => request !== undefined);
}

/** Whether the contact has answered. With a checklist, the requester decides when everything has arrived. */
const hasAnswered = (request: FileRequest, address: string): boolean =>
  request.checklist === undefined ? request.answers.some(({ from }) => from === address) : isComplete(request);

/** When the contact can no longer answer, in milliseconds. Without a unit, requests are open for 30 days. */
function endOf({ endedAt, createdAt, expiresAfter }: FileRequest, unit: ExpiryUnit): number {
  const since = (endedAt ?? createdAt).getTime();
  const seconds = expiryOf(since / 1000, expiresAfter, unit);
  return seconds === undefined ? since + answerableMs : seconds * 1000;
}
