import type { z } from 'zod';
import { changedFormat, chunksOf, refusal } from './answers.ts';
import { ListScanner, ListSyntaxError } from './list-scanner.ts';
import type { Session } from './session.ts';
import { parseJson, sayingOf, statusWord } from './status.ts';
import type { Answer } from './wire.ts';
import { shorten, wordsOf } from './words.ts';

export interface ListReading {
  /** The lists that must be there, each with what to do with an entry's text. A missing list is never an empty one. */
  lists: Record<string, (json: string, index: number) => void>;
  /** Gets every other value at the top level that is neither list nor object. */
  value?: (key: string, json: string) => void;
  /** The body, where it is not to be taken from the answer itself. */
  chunks?: AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Reads an answer that is an object of lists, entry by entry, and keeps none of it. */
export async function readLists(session: Session, answer: Answer, reading: ListReading): Promise<void> {
  const names = Object.keys(reading.lists);
  const { value, chunks = chunksOf(answer) } = reading;
  const scanner = new ListScanner(
    names,
    { element: (list, json, index) => reading.lists[list]?.(json, index), ...(value && { value }) },
    session.limits.entryBytes,
  );
  const expected = `an object with ${names.map((name) => `the list "${name}"`).join(' and ')}`;
  let beginning = '';
  try {
    for await (const chunk of chunks) {
      if (beginning.length < 1000) beginning += chunk.subarray(0, 1000).toString();
      scanner.push(chunk);
    }
    scanner.end();
  } catch (error) {
    if (!(error instanceof ListSyntaxError)) throw error;
    const came = beginning.trim() && `${shorten(wordsOf(beginning))} (${error.message})`;
    throw changedFormat(answer.operation, expected, came, session.redact);
  }
  if (names.every((name) => scanner.found.has(name))) return;
  if (statusWord(beginning) !== undefined) throw refusal(answer, sayingOf(beginning), session.redact);
  throw changedFormat(answer.operation, expected, wordsOf(beginning), session.redact);
}

/** Turns the text of each entry of a list into its view, or says which field of which entry was not as expected. */
export function eachEntry<T extends z.ZodType>(
  session: Session,
  { operation }: Answer,
  list: string,
  schema: T,
  take: (view: z.output<T>, json: string) => void,
): ListReading['lists'] {
  return {
    [list](json, index) {
      const { success, data, error } = schema.safeParse(parseJson(json));
      if (success) return take(data, json);
      const [issue] = error.issues;
      const field = [`${list}[${index}]`, ...(issue?.path ?? [])].join('.');
      throw changedFormat(operation, `${field} to be otherwise (${issue?.message ?? 'invalid'})`, json, session.redact);
    },
  };
}
