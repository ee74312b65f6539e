import type { Exchange } from '../../exchange/index.ts';
import type { Services } from '../common/services.ts';
import {
  type Akin,
  afterYes,
  type Claim,
  comparedOf,
  differenceOf,
  expectedOf,
  isAlike,
  isUnmistakable,
  type News,
  ownEntry,
} from './compare.ts';
import type { OpenTransfer, Result } from './repository.ts';
import { markOf, othersAmong, readNews, unseenBut } from './shown.ts';

/** What the history shows of a transfer that has already ended. */
export interface LateNews {
  state: 'sent' | 'unknown';
  /** Identifies its entry; undefined if the history shows something else instead. */
  mark: string | undefined;
  difference: Result | undefined;
}

/** Resolves with undefined if the history shows nothing of the transfer, `unreadable` if that can't be determined. */
export async function readLateNews(
  services: Services,
  exchange: Exchange,
  transfer: OpenTransfer,
): Promise<LateNews | 'unreadable' | undefined> {
  const isInDoubt = transfer.state !== 'sent';
  // Without the digests of earlier entries, old entries can't be distinguished from new ones.
  if (isInDoubt && transfer.details.snapshot?.akin === undefined) return 'unreadable';
  const fresh = await readNews(services, exchange, transfer);
  const news = isInDoubt ? await onlyIts(services, transfer, fresh) : await afterItsYes(services, transfer, fresh);
  const mark = markOf(news);
  if (mark === undefined) return undefined;
  const difference = differenceOf(news);
  const isIts = news.alike.length > 0 || news.otherwise.some((entry) => isUnmistakable(entry, expectedOf(transfer)));
  return isInDoubt && !isIts ? { state: 'unknown', mark: undefined, difference } : { state: 'sent', mark, difference };
}

async function afterItsYes({ store }: Services, transfer: OpenTransfer, fresh: News): Promise<News> {
  const expected = expectedOf(transfer);
  if (transfer.details.snapshot?.akin !== undefined) return afterYes(fresh, expected);
  // These can include old entries. Drop at least those known to belong to other transfers.
  const others = await othersAmong(store, transfer, fresh.alike);
  return afterYes({ ...fresh, alike: fresh.alike.filter((entry) => !others.has(entry)) }, expected);
}

/** The service never confirmed this send, so an entry that another attempt can explain (a resend) isn't its own. */
async function onlyIts({ store }: Services, transfer: OpenTransfer, fresh: News): Promise<News> {
  const expected = expectedOf(transfer);
  // Read after the history: by now every transfer that can be in it is recorded as committing.
  const tries = (await unseenBut(store, transfer)).filter(isPossible);
  const ownOf = (entries: readonly Akin[], isRival: typeof isAlike) => {
    const rivals = tries.filter((other) => isRival(comparedOf(expectedOf(other)), expected));
    return ownEntry(entries, claimOf(transfer), rivals.map(claimOf));
  };
  const alike = ownOf(fresh.alike, isAlike);
  if (alike !== undefined) return { ...fresh, alike: [alike], otherwise: [] };
  const like = fresh.otherwise.filter((entry) => isUnmistakable(entry, expected));
  const own = ownOf(like, isUnmistakable);
  if (own !== undefined) return { ...fresh, alike: [], otherwise: [own] };
  const isTheirs = (entry: Akin) => tries.some((other) => isUnmistakable(entry, expectedOf(other)));
  // Other people can ask the same contacts for files. One of our files in another transfer is unexpected.
  const isStrange = (entry: Akin) => transfer.kind === 'dispatch' && !like.includes(entry) && !isTheirs(entry);
  const hasAlarmed = transfer.details.difference !== undefined;
  return { ...fresh, alike: [], otherwise: hasAlarmed ? [] : fresh.otherwise.filter(isStrange) };
}

/** Whether a new entry can still be its own: not if nothing was sent, nor after its watch has ended. */
const isPossible = ({ state, details }: OpenTransfer) => state !== 'failed' || details.watchedUntil !== undefined;

const claimOf = ({ state, committedAt, createdAt }: OpenTransfer): Claim => ({
  madeAt: (committedAt ?? createdAt).getTime(),
  isCertain: state === 'sent' || state === 'committing',
});
