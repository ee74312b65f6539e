import { z } from 'zod';
import { changedFormat, readBody, refusal } from './answers.ts';
import type { ExchangeError } from './errors.ts';
import type { Session } from './session.ts';
import type { Answer } from './wire.ts';
import { wordsOf } from './words.ts';

const statusAnswer = z.looseObject({ status: z.union([z.string(), z.looseObject({})]) });

/** Fields where a structured status can hold its word; the API only announces that the format can become structured. */
const wordFields = ['code', 'status', 'state', 'result', 'value', 'message'];

/** Resolves if the status is exactly `expected`. Any other answer is a refusal or an unknown format. */
export async function expectStatus(session: Session, answer: Answer, expected: string): Promise<void> {
  const text = (await readBody(answer, session.small)).toString();
  if (statusWord(text)?.toLowerCase() === expected) return;
  throw unexpected(session, answer, `{"status":"${expected}"}`, text);
}

/** The error for an unexpected answer: a refusal if it is a status answer, otherwise an unknown format. */
export function unexpected(session: Session, answer: Answer, expected: string, text: string): ExchangeError {
  if (statusWord(text) !== undefined) return refusal(answer, sayingOf(text), session.redact);
  return changedFormat(answer.operation, expected, wordsOf(text), session.redact);
}

/** The word of a status answer, plain or structured; undefined if this isn't one. */
export function statusWord(text: string): string | undefined {
  const { success, data } = statusAnswer.safeParse(parseJson(text));
  if (!success) return undefined;
  if (typeof data.status === 'string') return data.status;
  for (const field of wordFields) {
    const value = data.status[field];
    if (typeof value === 'string') return value;
    // A success number isn't the word, so look further. Any other number is a refusal, whatever text comes with it.
    if (typeof value === 'number' && value !== 0 && (value < 200 || value > 299)) return String(value);
    // "code": false, or a list of errors, is not overruled by an "ok" in a later field.
    if (typeof value === 'boolean' || (typeof value === 'object' && value !== null)) return undefined;
  }
  return undefined;
}

/** All texts of a status answer, for the error message. */
function sayingOf(text: string): string {
  const { status, ...rest } = statusAnswer.parse(parseJson(text));
  const parts = typeof status === 'string' ? [status] : Object.values(status);
  return [...parts, ...Object.values(rest)].filter((part) => typeof part === 'string').join(': ');
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}
