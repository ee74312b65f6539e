import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';

/** A person's search, as stored in the metadata of a list. Dates are days in the person's time zone. */
export const searchFormat = {
  search: z.string().max(bounds.searchChars).optional(),
  person: z.string().max(30).optional(),
  from: z.string().max(10).optional(),
  to: z.string().max(10).optional(),
};
const searchSchema = z.object(searchFormat);
export type Search = z.infer<typeof searchSchema>;

/** The distinct words of a search, without case and accents. */
export function wordsIn(query: string): string[] {
  return [...new Set(foldText(query).split(/\s+/).filter(Boolean))];
}

/**
 * Whether each word of the search is in one of the texts. Words after the first `bounds.searchWords` are ignored. Looks
 * at one text at a time, because an entry can be large.
 */
export function textMatcher(query: string): (texts: Iterable<string | undefined>) => boolean {
  const words = wordsIn(query).slice(0, bounds.searchWords);
  return (texts) => {
    let missing = words;
    if (missing.length === 0) return true;
    for (const text of texts) {
      if (text === undefined || text === '') continue;
      const folded = foldText(text);
      missing = missing.filter((word) => !folded.includes(word));
      if (missing.length === 0) return true;
    }
    return false;
  };
}

/** Removes case and accents, so that a search for Jose finds José. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  return /[^\x20-\x7e]/.test(lower) ? lower.normalize('NFKD').replace(/\p{M}/gu, '') : lower;
}

/** Times in milliseconds since 1970. `from` is inclusive, `to` exclusive. */
export interface Period {
  from?: number;
  to?: number;
}

/** Whether the time is in the period. An unknown time is only in a period without limits. */
export function isInPeriod({ from, to }: Period, time: number | undefined): boolean {
  if (from === undefined && to === undefined) return true;
  return time !== undefined && (from === undefined || time >= from) && (to === undefined || time < to);
}
