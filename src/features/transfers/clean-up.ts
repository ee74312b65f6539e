import { type Exchange, isExchangeError } from '../../exchange/index.ts';
import type { Services } from '../common/services.ts';
import { uploadsIn } from './uploads.ts';

export interface Found {
  /** Files on the account that Dropline did not upload. */
  unexpected: string[];
  /** Names we recorded as uploaded that the account doesn't list. */
  vanished: string[];
}

/** Deletes our files from the account and reports the ones that aren't ours. */
async function removeOurs({ store }: Pick<Services, 'store'>, exchange: Exchange): Promise<Found> {
  const uploads = uploadsIn(store);
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

/** A failed delete counts as done if the account no longer lists the file. */
export async function removeOne(exchange: Exchange, name: string): Promise<void> {
  try {
    await exchange.removeFile(name);
  } catch (error) {
    if (!isExchangeError(error)) throw error;
    if ((await exchange.listFiles()).some((file) => file.name === name)) throw error;
  }
}

/** Clears the recipients and deletes our files, so that a late call that sends finds nothing to send. */
export async function cleanUp(services: Pick<Services, 'store'>, exchange: Exchange): Promise<Found> {
  await exchange.setReceivers([]);
  return removeOurs(services, exchange);
}
