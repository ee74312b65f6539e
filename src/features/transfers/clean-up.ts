import { type Exchange, isExchangeError } from '../../exchange/index.ts';
import type { Services } from '../services.ts';
import { uploadsOf } from './uploads.ts';

export interface Found {
  /** Files on the account that Dropline did not put there. */
  unexpected: string[];
  /** Ours that were not there (any more). */
  vanished: string[];
}

/** Looks what lies on the account, removes what is ours, and says what is not. */
async function removeOurs({ store }: Pick<Services, 'store'>, exchange: Exchange): Promise<Found> {
  const uploads = uploadsOf(store);
  const { account } = exchange;
  const [listed, ours] = [await exchange.listFiles(), await uploads.names(account)];
  const there = new Set(listed.map(({ name }) => name));
  for (const name of there) {
    if (!ours.has(name)) continue;
    await removeOne(exchange, name);
    await uploads.forget(account, new Set([name]));
  }
  const vanished = new Set([...ours].filter((name) => !there.has(name)));
  await uploads.forgetOld(account, vanished);
  return { unexpected: [...there].filter((name) => !ours.has(name)), vanished: [...vanished] };
}

/** A file that is gone already is as good as removed: the list tells. */
export async function removeOne(exchange: Exchange, name: string): Promise<void> {
  try {
    await exchange.removeFile(name);
  } catch (error) {
    if (!isExchangeError(error)) throw error;
    if ((await exchange.listFiles()).some((file) => file.name === name)) throw error;
  }
}

/** Nobody is set any more, and nothing of ours is there: a call that sends, however late, would find nothing to send. */
export async function cleanUp(services: Pick<Services, 'store'>, exchange: Exchange): Promise<Found> {
  await exchange.setReceivers([]);
  return removeOurs(services, exchange);
}
