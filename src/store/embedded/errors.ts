/**
 * - `unsupported-platform`: there are no binaries for this system
 * - `not-installed`: there are binaries for this system, but npm did not install them
 * - `binaries-unusable`: the binaries are installed but don't run
 * - `no-account`: root can't run Postgres and there is no other account for it, or our own account has no name
 * - `folder-closed`: the account that runs Postgres can't reach the data
 * - `wrong-owner`: the data belongs to another account
 * - `wrong-version`: the data was created by another major version of Postgres
 * - `data-dir-unusable`: any other file system error
 * - `socket-path-too-long`: no folder has a path short enough for a Unix socket
 * - `start-failed`: Postgres failed to start; the message has its reason
 * - `no-answer`: a Postgres of this folder is running but doesn't answer
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

/** The message is for the operator and includes the fix. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}
