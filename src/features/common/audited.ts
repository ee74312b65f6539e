import { randomInt } from 'node:crypto';
import { type DroplineError, isDroplineError, withReference } from '../../errors.ts';
import { type ExchangeError, isExchangeError } from '../../exchange/index.ts';
import type { Actor, Services } from './services.ts';

export interface OpenAuditEntry {
  /** The details are stored encrypted. */
  addDetails(details: Record<string, unknown>): void;
  /** Writes no entry if the operation succeeds, because other code records the outcome or nothing was changed. */
  skipEntry(): void;
}

/** Runs an operation, and records who did it and with which outcome, including failures. */
export async function audited<T>(
  { store, log }: Pick<Services, 'store' | 'log'>,
  actor: Actor,
  action: string,
  work: (entry: OpenAuditEntry) => Promise<T>,
): Promise<T> {
  const started = Date.now();
  const identity = { ...actor, reference: actor.reference ?? newReference() };
  let details: Record<string, unknown> | undefined;
  let isSkipped = false;
  const write = async (outcome: string, error?: unknown) => {
    log.info({ ...identity, operation: action, outcome, ms: Date.now() - started, err: error }, 'operation');
    // The operation has ended: a failed audit write must not change its outcome.
    await store.audit
      .record({ ...identity, action, outcome, details })
      .catch((failure: unknown) => log.error({ ...identity, action, outcome, err: failure }, 'audit not written'));
  };
  try {
    const result = await work({
      addDetails: (added) => (details = { ...details, ...added }),
      skipEntry: () => (isSkipped = true),
    });
    if (!isSkipped) await write('done');
    return result;
  } catch (error) {
    await write(outcomeOf(error), error);
    throw error;
  }
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
