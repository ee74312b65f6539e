/**
 * - `unsupported-platform`: nobody offers these binaries for this system
 * - `not-installed`: there are binaries for this system, but npm was told to leave them out
 * - `binaries-unusable`: the binaries are there and do not run
 * - `no-account`: root may not run Postgres, and there is no other account that could; or our own has no name
 * - `folder-closed`: the account that runs Postgres cannot get to the data
 * - `wrong-owner`: the data belongs to somebody else
 * - `wrong-version`: the data was made by another major version of Postgres
 * - `data-dir-unusable`: the file system refuses something else
 * - `socket-path-too-long`: no folder is short enough for a Unix socket
 * - `start-failed`: Postgres said no; its words are in the message
 * - `no-answer`: a Postgres of this folder runs, but cannot be talked to
 */
export type EmbeddedPostgresErrorCode =
  | 'unsupported-platform'
  | 'not-installed'
  | 'binaries-unusable'
  | 'no-account'
  | 'folder-closed'
  | 'wrong-owner'
  | 'wrong-version'
  | 'data-dir-unusable'
  | 'socket-path-too-long'
  | 'start-failed'
  | 'no-answer';

/** The message is a sentence for whoever set the bot up, with the cure in it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}
