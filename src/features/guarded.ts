import type { Exchange } from '../exchange/index.ts';

/** What says whether work may go on: the lock that it is done under, or whatever else must still hold. */
export interface Guard {
  signal: AbortSignal;
  /** Rejects unless the next call may be made. */
  check(): Promise<void>;
}

/** The same client, which asks before every single call whether it may still be made, and is cut off when it may not. */
export function guarded(exchange: Exchange, { signal, check }: Guard): Exchange {
  const ask = async <T>(call: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    await check();
    return call();
  };
  const cut = <T extends { signal?: AbortSignal | undefined }>(options: T | undefined) => ({
    ...options,
    signal: options?.signal === undefined ? signal : AbortSignal.any([signal, options.signal]),
  });
  return {
    account: exchange.account,
    signIn: (options) => ask(() => exchange.signIn(cut(options))),
    readContacts: (options) => ask(() => exchange.readContacts(cut(options))),
    replaceContacts: (contacts, options) => ask(() => exchange.replaceContacts(contacts, cut(options))),
    setReceivers: (receivers, options) => ask(() => exchange.setReceivers(receivers, cut(options))),
    listFiles: (options) => ask(() => exchange.listFiles(cut(options))),
    removeFile: (name, options) => ask(() => exchange.removeFile(name, cut(options))),
    upload: (source, options) => ask(() => exchange.upload(source, cut(options))),
    createDispatch: (parameters, options) => ask(() => exchange.createDispatch(parameters, cut(options))),
    grantAccess: (parameters, options) => ask(() => exchange.grantAccess(parameters, cut(options))),
    readHistory: (options) => ask(() => exchange.readHistory(cut(options))),
    readInbox: (options) => ask(() => exchange.readInbox(cut(options))),
    download: (file, options) => ask(() => exchange.download(file, cut(options))),
  };
}
