import { bounds } from '../bounds.ts';

/** How long and how much. Tests set them small; who runs a service with a shorter life of tokens sets that. */
export interface Limits {
  /** From the end of a request to the headers of its answer; also how long the service may stop reading an upload. */
  answerMs: number;
  /** Between two chunks of a body, ours or the service's. */
  idleMs: number;
  /** A whole call, from asking to the last byte of its answer; for file transfers see the next four. */
  callMs: number;
  /** Of the service's time for a transfer, in which it must move `paceBytes`; time in which it waits for us doesn't count. */
  paceMs: number;
  paceBytes: number;
  /** Of the service's time for a whole transfer: so much, and a second for each `transferBytesPerSecond`. */
  transferMs: number;
  transferBytesPerSecond: number;
  /** A token is not used beyond this since its last valid use. The service's default is 15 minutes. */
  tokenLifeMs: number;
  /** Of the account page. */
  pageBytes: number;
  /** Of a status answer, and of a refusal's words. */
  statusBytes: number;
  /** Of the list of uploaded files, which is read in one piece: the process does nothing else meanwhile. */
  filesBytes: number;
  /** Of a list that is kept whole: contacts, the inbox; with what keeping it takes. */
  listBytes: number;
  /** Of the history entries that are kept, in the same way. */
  historyBytes: number;
  /** Of one entry of a list, or one value, within an answer of any length. */
  entryBytes: number;
  /** Values in one entry of a list, with those inside of others. */
  entryParts: number;
  /** Of one text in the history or the inbox; the rest of a longer one is read as a digest. */
  textBytes: number;
  /** An answer up to this size is kept while its digest is taken, so that a changed one need not be asked for again. */
  keptBytes: number;
}

export const defaultLimits: Limits = bounds.service;
