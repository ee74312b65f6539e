import { randomInt } from 'node:crypto';
import { hasErrorMessage } from './error-message.ts';
import type { Actor, Services } from './services.ts';

export interface OpenAuditEntry {
  /** Adds to what the audit keeps of it; encrypted there. */
  note(details: Record<string, unknown>): void;
}

/** Does what a person asked for and writes down who did what with which outcome, whatever the outcome is. */
export async function audited<T>(
  { store, log }: Pick<Services, 'store' | 'log'>,
  actor: Actor,
  act: string,
  work: (entry: OpenAuditEntry) => Promise<T>,
  /** Its success is known later and written down then. */
  { isPending = false } = {},
): Promise<T> {
  const started = Date.now();
  const who = { ...actor, reference: actor.reference ?? newReference() };
  let details: Record<string, unknown> | undefined;
  const write = async (outcome: string, error?: unknown) => {
    log.info({ ...who, operation: act, outcome, ms: Date.now() - started, err: error }, 'operation');
    // What was done is done: a ledger that cannot be written now must not make it look undone.
    await store.audit
      .record({ ...who, act, outcome, details })
      .catch((failure: unknown) => log.error({ ...who, act, outcome, err: failure }, 'audit not written'));
  };
  try {
    const result = await work({ note: (more) => (details = { ...details, ...more }) });
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

/** Easily read out and typed: no letter that looks like a digit. */
export function newReference(): string {
  const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  return Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('');
}
