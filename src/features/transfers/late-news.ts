import type { Exchange } from '../../exchange/index.ts';
import type { Services } from '../services.ts';
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

/** What the history shows of a transfer after its end. */
export interface LateNews {
  state: 'sent' | 'unknown';
  /** Of its entry; undefined where something else is shown instead. */
  mark: string | undefined;
  difference: Result | undefined;
}

/** Undefined where it shows nothing of it; `unreadable` where that cannot be told. */
export async function readLateNews(
  services: Services,
  exchange: Exchange,
  transfer: OpenTransfer,
): Promise<LateNews | 'unreadable' | undefined> {
  const isInDoubt = transfer.state !== 'sent';
  // Without a list of what was there before, old entries can't be told from new ones.
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
  // Old entries are among these: at least none that is known to be another's.
  const others = await othersAmong(store, transfer, fresh.alike);
  return afterYes({ ...fresh, alike: fresh.alike.filter((entry) => !others.has(entry)) }, expected);
}

/** The service never said that it was sent: what another try can have made, as one that was sent again, is not taken for it. */
async function onlyIts({ store }: Services, transfer: OpenTransfer, fresh: News): Promise<News> {
  const expected = expectedOf(transfer);
  // Read after the history: what was made by then has been noted as about to be made.
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
  // Those who are asked for files may be asked by others too; a file of ours in another drop is strange.
  const isStrange = (entry: Akin) => transfer.kind === 'dispatch' && !like.includes(entry) && !isTheirs(entry);
  const hasAlarmed = transfer.details.difference !== undefined;
  return { ...fresh, alike: [], otherwise: hasAlarmed ? [] : fresh.otherwise.filter(isStrange) };
}

/** Whether an entry that comes now can be its: not where nothing went out, nor where the watch has ended. */
const isPossible = ({ state, details }: OpenTransfer) => state !== 'failed' || details.watchedUntil !== undefined;

const claimOf = ({ state, committedAt, createdAt }: OpenTransfer): Claim => ({
  madeAt: (committedAt ?? createdAt).getTime(),
  isCertain: state === 'sent' || state === 'committing',
});
