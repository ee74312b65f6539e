import { z } from 'zod';
import { changedFormat, readBody, refusal } from './answers.ts';
import type { Limits } from './limits.ts';
import type { Answer } from './wire.ts';
import { type Redact, wordsOf } from './words.ts';

const statusAnswer = z.looseObject({ status: z.union([z.string(), z.looseObject({})]) });

/** Where a structured status may hold its word; the service says only that the format may become structured. */
const wordFields = ['code', 'status', 'state', 'result', 'value', 'message'];

/** Passes if the answer says exactly `expected`; every other answer is a refusal, or a format we do not know. */
export async function expectStatus(answer: Answer, expected: string, limits: Limits, redact: Redact): Promise<void> {
  const text = (await readBody(answer, limits.statusBytes)).toString();
  const word = statusWord(text);
  if (word?.toLowerCase() === expected) return;
  if (word !== undefined) throw refusal(answer, sayingOf(text), redact);
  throw changedFormat(answer.operation, `{"status":"${expected}"}`, wordsOf(text), redact);
}

/** The word of a status answer, plain or structured; undefined if this is none. */
export function statusWord(text: string): string | undefined {
  const { success, data } = statusAnswer.safeParse(parseJson(text));
  if (!success) return undefined;
  if (typeof data.status === 'string') return data.status;
  for (const field of wordFields) {
    const value = data.status[field];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** What a refusing status says beyond its word, where it says anything. */
export function sayingOf(text: string): string {
  const { status, ...rest } = statusAnswer.parse(parseJson(text));
  const parts = typeof status === 'string' ? [status] : Object.values(status);
  return [...parts, ...Object.values(rest)].filter((part) => typeof part === 'string').join(': ');
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
