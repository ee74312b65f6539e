import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { changedFormat, chunksOf } from './answers.ts';
import { ListScanner, ListSyntaxError, type ListVisitor } from './list-scanner.ts';
import { readableText, shorten } from './service-text.ts';
import type { Session } from './session.ts';
import { parseJson, unexpected } from './status.ts';
import type { Answer } from './transport.ts';

export interface ListHandlers extends Pick<ListVisitor, 'wants' | 'value'> {
  /** The required lists, each with a handler for an entry's text. A missing list is an error, never an empty list. */
  lists: Record<string, (json: string, index: number) => void>;
  /** Maximum size of one text; the rest of a longer text becomes a digest. Only for entries that aren't sent back. */
  textBytes?: number;
  /** The body, if it isn't taken from the answer itself. */
  chunks?: AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Yields to the event loop after this many bytes. */
const yieldBytes = 64 * 1024;

/** Reads an answer that is an object of lists, entry by entry, without holding all of it in memory. */
export async function readLists(session: Session, answer: Answer, handlers: ListHandlers): Promise<void> {
  const { lists, chunks = chunksOf(answer), textBytes = Number.POSITIVE_INFINITY, ...values } = handlers;
  const names = Object.keys(lists);
  const visitor = { element: (list: string, json: string, index: number) => lists[list]?.(json, index), ...values };
  const scanner = new ListScanner(names, visitor, { entryBytes: session.limits.entryBytes, textBytes });
  const expected = `an object with ${names.map((name) => `the list "${name}"`).join(' and ')}`;
  const { statusBytes } = session.limits;
  let start = Buffer.alloc(0);
  let bytesSinceYield = 0;
  try {
    for await (const chunk of chunks) {
      if (start.length < statusBytes) start = Buffer.concat([start, chunk.subarray(0, statusBytes - start.length)]);
      scanner.push(chunk);
      bytesSinceYield += chunk.length;
      if (bytesSinceYield < yieldBytes) continue;
      bytesSinceYield = 0;
      await setImmediate();
    }
    scanner.end();
  } catch (error) {
    if (!(error instanceof ListSyntaxError)) throw error;
    const text = shorten(session.redact(readableText(start.toString())));
    throw changedFormat(answer.operation, expected, text && `${text} (${error.message})`, session.redact);
  }
  if (names.every((name) => scanner.foundLists.has(name))) return;
  throw unexpected(session, answer, expected, start.toString());
}

export interface EntrySchema<T> {
  safeParse(value: unknown): z.ZodSafeParseResult<T>;
}

/**
 * Parses each list entry into its view. The error for an invalid entry contains its index and the field. The text that
 * `take` returns counts towards `maxBytes`, including its memory overhead.
 */
export function eachEntry<T>(
  session: Session,
  { operation }: Answer,
  list: string,
  schema: EntrySchema<T>,
  maxBytes: number,
  take: (view: T, json: string) => string | undefined,
): ListHandlers['lists'] {
  const { entryParts } = session.limits;
  let totalBytes = 0;
  return {
    [list](json, index) {
      if (json.length > entryParts && partsOf(json) > entryParts)
        throw changedFormat(operation, `at most ${entryParts} values in ${list}[${index}]`, 'more', session.redact);
      const { success, data, error } = schema.safeParse(parseJson(json));
      if (!success) {
        const [issue] = error.issues;
        const field = [`${list}[${index}]`, ...(issue?.path ?? [])].join('.');
        throw changedFormat(operation, `a valid ${field} (${issue?.message ?? 'invalid'})`, json, session.redact);
      }
      const text = take(data, json);
      if (text === undefined) return;
      totalBytes += estimatedBytes(text);
      if (totalBytes > maxBytes)
        throw changedFormat(operation, `at most ${maxBytes} bytes of "${list}"`, 'more', session.redact);
    },
  };
}

/** Estimated memory overhead in bytes: of an entry, of each list or object in it, and of each value. */
const viewBytes = 512;
const nestedBytes = 64;
const valueBytes = 24;

/** The estimated memory of an entry. For entries like `{}` it is many times their size on the wire. */
function estimatedBytes(json: string): number {
  const { nested, commas } = countParts(json);
  return json.length + viewBytes + nested * nestedBytes + commas * valueBytes;
}

/** An upper bound for the number of values in an entry: commas in its texts count too. */
function partsOf(json: string): number {
  const { nested, commas } = countParts(json);
  return nested + commas;
}

function countParts(json: string): { nested: number; commas: number } {
  let nested = 0;
  let commas = 0;
  for (let at = 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === comma) commas += 1;
    else if (code === openBrace || code === openBracket) nested += 1;
  }
  return { nested, commas };
}

const openBrace = 0x7b;
const openBracket = 0x5b;
const comma = 0x2c;
