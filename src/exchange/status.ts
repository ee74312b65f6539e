import { z } from 'zod';
import { changedFormat, readBody, refusal } from './answers.ts';
import type { ExchangeError } from './errors.ts';
import { readableText } from './service-text.ts';
import type { Session } from './session.ts';
import type { Answer } from './transport.ts';

const statusAnswer = z.looseObject({ status: z.union([z.string(), z.looseObject({})]) });

/** Fields that could hold the word of a structured status. The API announces such a format but doesn't define it. */
const wordFields = ['code', 'status', 'state', 'result', 'value', 'message'];

/** Resolves if the status is `expected`, ignoring case. Any other answer is a refusal or an unknown format. */
export async function expectStatus(session: Session, answer: Answer, expected: string): Promise<void> {
  const text = (await readBody(answer, session.statusBounds)).toString();
  if (statusWord(text)?.toLowerCase() === expected) return;
  throw unexpected(session, answer, `{"status":"${expected}"}`, text);
}

/** The error for an unexpected answer: a refusal if it is a status answer, otherwise an unknown format. */
export function unexpected(session: Session, answer: Answer, expected: string, text: string): ExchangeError {
  if (statusWord(text) !== undefined) return refusal(answer, statusTextOf(text), session.redact);
  return changedFormat(answer.operation, expected, readableText(text), session.redact);
}

/** The word of a status answer, plain or structured; undefined if this isn't one. */
export function statusWord(text: string): string | undefined {
  const { success, data } = statusAnswer.safeParse(parseJson(text));
  if (!success) return undefined;
  if (typeof data.status === 'string') return data.status;
  for (const field of wordFields) {
    const value = data.status[field];
    if (typeof value === 'string') return value;
    // A number that means success isn't the word, so the next field is checked. Any other number is a refusal.
    if (typeof value === 'number' && value !== 0 && (value < 200 || value > 299)) return String(value);
    // An "ok" in a later field doesn't count after "code": false or a list of errors.
    if (typeof value === 'boolean' || (typeof value === 'object' && value !== null)) return undefined;
  }
  return undefined;
}

/** All texts of a status answer, for the error message. */
function statusTextOf(text: string): string {
  const { status, ...otherFields } = statusAnswer.parse(parseJson(text));
  const parts = typeof status === 'string' ? [status] : Object.values(status);
  return [...parts, ...Object.values(otherFields)].filter((part) => typeof part === 'string').join(': ');
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}
