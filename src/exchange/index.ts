export { parseAccount } from './address.ts';
export { createServiceAgent, type ServiceAgent, type ServiceAgentOptions } from './agent.ts';
export {
  type Contact,
  type ContactLists,
  editContact,
  makeContact,
  readContact,
} from './contacts.ts';
export { createExchange, type Exchange, type ExchangeOptions } from './create-exchange.ts';
export type { DispatchParameters } from './dispatch.ts';
export type { Download, InboxFile } from './download.ts';
export {
  type ContactFields,
  contactFieldNames,
  contactShape,
  contactTexts,
  type HistoryEntry,
  type InboxItem,
  type UploadedFile,
} from './entries.ts';
export { ExchangeError, type ExchangeErrorCode, isExchangeError } from './errors.ts';
export type { History, HistoryOptions, Inbox, InboxOptions } from './history.ts';
export type { CallHooks } from './hooks.ts';
export type { Limits } from './limits.ts';
export type { Operation } from './operations.ts';
export type { CallLimit, CallOptions, Log } from './session.ts';
export { createMemoryTokens, isLaterUse, type StoredToken, type TokenStore } from './tokens.ts';
export type { FileSource, UploadOptions } from './upload.ts';
