import { z } from 'zod';
import { changedFormat, readBody, refusal } from './answers.ts';
import type { ExchangeError } from './errors.ts';
import type { Session } from './session.ts';
import type { Answer } from './wire.ts';
import { wordsOf } from './words.ts';

const statusAnswer = z.looseObject({ status: z.union([z.string(), z.looseObject({})]) });

/** Where a structured status may hold its word; the service says only that the format may become structured. */
const wordFields = ['code', 'status', 'state', 'result', 'value', 'message'];

/** Passes if the answer says exactly `expected`; every other answer is a refusal, or a format we do not know. */
export async function expectStatus(session: Session, answer: Answer, expected: string): Promise<void> {
  const text = (await readBody(answer, session.small)).toString();
  if (statusWord(text)?.toLowerCase() === expected) return;
  throw unexpected(session, answer, `{"status":"${expected}"}`, text);
}

/** What came instead of what was expected: a refusal, if it is a status answer, else a format we do not know. */
export function unexpected(session: Session, answer: Answer, expected: string, text: string): ExchangeError {
  if (statusWord(text) !== undefined) return refusal(answer, sayingOf(text), session.redact);
  return changedFormat(answer.operation, expected, wordsOf(text), session.redact);
}

/** The word of a status answer, plain or structured; undefined if this is none. */
export function statusWord(text: string): string | undefined {
  const { success, data } = statusAnswer.safeParse(parseJson(text));
  if (!success) return undefined;
  if (typeof data.status === 'string') return data.status;
  for (const field of wordFields) {
    const value = data.status[field];
    if (typeof value === 'string') return value;
    // A number that means success says no word; one that does not is a refusal, whatever words come with it.
    if (typeof value === 'number' && value !== 0 && (value < 200 || value > 299)) return String(value);
    // "code": false, or a list of errors, is not overruled by an "ok" that stands behind it.
    if (typeof value === 'boolean' || (typeof value === 'object' && value !== null)) return undefined;
  }
  return undefined;
}

/** What a status answer says beyond its word, where it says anything. */
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
