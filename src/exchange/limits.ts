import { bounds } from '../bounds.ts';

/**
 * Limits on time and size. A service whose tokens expire before `tokenLifeMs` needs a smaller value.
 */
export interface Limits {
  /** Time from the end of a request to the headers of its answer; also how long the service can stall an upload. */
  answerMs: number;
  /** Time between two chunks of a body, ours or the service's. */
  idleMs: number;
  /** Time for a whole call, to the last byte of its answer. File transfers have the next four limits instead. */
  callMs: number;
  /** The minimum speed: the service must move `paceBytes` in this time. Time in which it waits for us doesn't count. */
  paceMs: number;
  paceBytes: number;
  /** Time for a whole transfer, measured like `paceMs`, plus one second for each `transferBytesPerSecond` moved. */
  transferMs: number;
  transferBytesPerSecond: number;
  /** A token isn't used for longer than this after its last valid use. The service's default is 15 minutes. */
  tokenLifeMs: number;
  /** Maximum size of the account page. */
  pageBytes: number;
  /** Maximum size of a status answer and of the text of a refusal. */
  statusBytes: number;
  /** Maximum size of the list of uploaded files. It is parsed in one piece, which blocks the process. */
  filesBytes: number;
  /** Maximum size of a list that is held in memory as a whole (contacts, inbox), including its overhead. */
  listBytes: number;
  /** Maximum size of the history entries that are held in memory, including their overhead. */
  historyBytes: number;
  /** Maximum size of one list entry, or one value, in an answer of any length. */
  entryBytes: number;
  /** Maximum number of values in one list entry, including nested ones. */
  entryParts: number;
  /** Maximum size of one text in the history or the inbox; the rest of a longer one becomes a digest. */
  textBytes: number;
  /** A larger answer isn't buffered while its digest is computed. If it has changed, it is requested again. */
  bufferedBytes: number;
}

export const defaultLimits: Limits = bounds.service;
