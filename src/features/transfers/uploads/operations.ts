import { type Exchange, isExchangeError } from '../../../exchange/index.ts';
import type { Services } from '../../common/services.ts';
import { uploadsIn } from './repository.ts';

export interface CleanUpResult {
  /** Files on the account that Dropline did not upload. */
  unexpected: string[];
  /** Files that Dropline has recorded as uploaded but the account doesn't list. */
  vanished: string[];
}

/** Deletes the files that Dropline uploaded, and reports unexpected and vanished ones. */
async function deleteOwnFiles({ store }: Pick<Services, 'store'>, exchange: Exchange): Promise<CleanUpResult> {
  const uploads = uploadsIn(store);
  const { account } = exchange;
  const [listed, ours] = [await exchange.listFiles(), await uploads.listNames(account)];
  const listedNames = new Set(listed.map(({ name }) => name));
  for (const name of listedNames) {
    if (!ours.has(name)) continue;
    await ensureFileRemoved(exchange, name);
    await uploads.forget(account, new Set([name]));
  }
  const vanished = new Set([...ours].filter((name) => !listedNames.has(name)));
  await uploads.forgetOld(account, vanished);
  return { unexpected: [...listedNames].filter((name) => !ours.has(name)), vanished: [...vanished] };
}

/** Deletes a file. Ignores a failure if the account no longer lists the file. */
export async function ensureFileRemoved(exchange: Exchange, name: string): Promise<void> {
  try {
    await exchange.removeFile(name);
  } catch (error) {
    if (!isExchangeError(error)) throw error;
    if ((await exchange.listFiles()).some((file) => file.name === name)) throw error;
  }
}

/** Clears the recipients and deletes our files, so that a delayed call has nothing to send. */
export async function cleanUp(services: Pick<Services, 'store'>, exchange: Exchange): Promise<CleanUpResult> {
  await exchange.setReceivers([]);
  return deleteOwnFiles(services, exchange);
}
