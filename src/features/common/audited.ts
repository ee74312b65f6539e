import { randomInt } from 'node:crypto';
import { hasErrorMessage } from './error-message.ts';
import type { Actor, Services } from './services.ts';

export interface OpenAuditEntry {
  /** The details are stored encrypted. */
  addDetails(details: Record<string, unknown>): void;
}

/** Runs an operation, and records who did it and with which outcome, including failures. */
export async function audited<T>(
  { store, log }: Pick<Services, 'store' | 'log'>,
  actor: Actor,
  action: string,
  work: (entry: OpenAuditEntry) => Promise<T>,
  /** `isPending`: records only a failure, because success is known and recorded later. */
  { isPending = false } = {},
): Promise<T> {
  const started = Date.now();
  const identity = { ...actor, reference: actor.reference ?? newReference() };
  let details: Record<string, unknown> | undefined;
  const write = async (outcome: string, error?: unknown) => {
    log.info({ ...identity, operation: action, outcome, ms: Date.now() - started, err: error }, 'operation');
    // The operation has ended: a failed audit write must not change its outcome.
    await store.audit
      .record({ ...identity, act: action, outcome, details })
      .catch((failure: unknown) => log.error({ ...identity, act: action, outcome, err: failure }, 'audit not written'));
  };
  try {
    const result = await work({ addDetails: (more) => (details = { ...details, ...more }) });
    if (!isPending) await write('done');
    return result;
  } catch (error) {
    await write(outcomeOf(error), error);
    throw error;
  }
}

export function outcomeOf(error: unknown): string {
  return hasErrorMessage(error) ? error.code : 'failed';
}

/** Easy to read out and to type: no letters that look like digits. */
export function newReference(): string {
  const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  return Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('');
}
