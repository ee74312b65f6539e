import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { type ExchangeError, isExchangeError } from '../../exchange/index.ts';
import { DroplineError, isDroplineError, withReference } from '../../lib/errors.ts';
import type { AuditAction, AuditDetails } from '../../store/index.ts';
import type { Actor, Services } from './services.ts';

type Client = Pick<pg.ClientBase, 'query'>;

export interface OpenAuditEntry<A extends AuditAction> {
  /** Adds to what the entry says, whether the action succeeds or fails. The details are stored encrypted. */
  addDetails(details: AuditDetails<A>): void;
  /** Records that the action is done. `client` is the transaction that does it: both are committed, or neither. */
  record(client: Client, details?: AuditDetails<A>): Promise<void>;
  /**
   * Records that the action is done, for one that only has an effect outside the database, like an export. There is no
   * transaction, so this comes after the effect, and rejects if the entry can't be written.
   */
  recordEffect(details?: AuditDetails<A>): Promise<void>;
  /** Records that the action came too late or wasn't possible, without failing. */
  recordTried(outcome: string): Promise<void>;
  /** For a success without an entry, because other code records the outcome or nothing was changed. */
  skipEntry(): void;
}

/** The failure of a repeated click. It isn't recorded, because the other click is. */
export class RepeatedError extends DroplineError {}

/**
 * Runs an operation and records who did it. The operation itself records its success, in its transaction. Failures are
 * recorded here, after the fact.
 */
export async function audited<T, A extends AuditAction>(
  { store, log }: Pick<Services, 'store' | 'log'>,
  actor: Actor,
  action: A,
  work: (entry: OpenAuditEntry<A>) => Promise<T>,
): Promise<T> {
  const started = Date.now();
  const { workspace, account, person } = actor;
  const identity = { workspace, person, reference: actor.reference ?? newReference() };
  let details: Partial<AuditDetails<A>> = {};
  let outcome: string | undefined;
  let isLost = false;
  const addDetails = (added: Partial<AuditDetails<A>> = {}) => {
    details = { ...details, ...added };
  };
  const write = async (written: string, client?: Client) => {
    await store.audit.record({ ...identity, account, action, outcome: written, details }, client);
    outcome = written;
  };
  const logOutcome = (error?: unknown) =>
    log.info({ ...identity, operation: action, outcome, ms: Date.now() - started, err: error }, 'operation');
  try {
    const result = await work({
      addDetails,
      record(client, added) {
        addDetails(added);
        return write('done', client);
      },
      async recordEffect(added) {
        addDetails(added);
        isLost = true;
        await write('done');
        isLost = false;
      },
      recordTried: (tried) => write(tried),
      skipEntry: () => {
        outcome = 'skipped';
      },
    });
    if (outcome === undefined) throw new Error(`“${action}” succeeded without an audit entry`);
    if (outcome !== 'skipped') logOutcome();
    return result;
  } catch (error) {
    if (error instanceof RepeatedError) throw error;
    const logUnwritten = (failure: unknown) =>
      log.error({ ...identity, action, outcome, err: failure }, 'audit not written');
    outcome = isLost ? 'done' : outcomeOf(error);
    logOutcome(error);
    // The operation has failed already: its error matters more than a failed audit write.
    await (isLost ? logUnwritten(error) : write(outcome).catch(logUnwritten));
    throw error;
  }
}

/** Records an operation that has ended: `recordDone` does it, unless a problem stopped the operation. */
export async function recordEnd<A extends AuditAction>(
  services: Pick<Services, 'store' | 'log'>,
  actor: Actor,
  action: A,
  { details, problem }: { details: AuditDetails<A>; problem?: unknown },
  recordDone: (entry: OpenAuditEntry<A>) => Promise<void>,
): Promise<void> {
  const recording = audited(services, actor, action, async (entry) => {
    entry.addDetails(details);
    if (problem !== undefined) throw problem;
    await recordDone(entry);
  });
  await recording.catch((error: unknown) => {
    if (error !== problem) throw error;
  });
}

export function outcomeOf(error: unknown): string {
  return hasErrorMessage(error) ? error.code : 'failed';
}

/** Creates a reference that is easy to read out and to type: without 0, 1, I, L and O, which look alike. */
export function newReference(): string {
  const characters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  return Array.from({ length: 8 }, () => characters[randomInt(characters.length)]).join('');
}

/** Whether an error is expected and has a message for people. All other errors are bugs or infrastructure failures. */
export function hasErrorMessage(error: unknown): error is DroplineError | ExchangeError {
  return isDroplineError(error) || isExchangeError(error);
}

/** The error message for views that always show the reference. */
export function errorMessageOf(error: unknown): string {
  if (hasErrorMessage(error)) return error.message;
  return 'Something went wrong. If it happens again, contact support with the reference.';
}

/** The error message for all other views. Includes the reference only if the error is unexpected. */
export function errorMessageWithReference(error: unknown, id: string): string {
  return hasErrorMessage(error) ? error.message : withReference(errorMessageOf(error), id);
}
