import { bounds } from '../../../lib/bounds.ts';
import { createFieldErrors } from '../../../lib/errors.ts';
import { endOfDay, isDay, startOfDay } from '../../../lib/time-zone.ts';
import { type Blocks, textField } from '../../../slack/blocks.ts';
import type { Filled } from '../../../slack/form.ts';
import { dateField, personField } from '../../../slack/pickers.ts';
import { oneLine } from '../../../slack/words.ts';
import type { Actor, People } from '../services.ts';
import { endsBeforeStart, invalidDate, tooManyWords } from './errors.ts';
import { type Period, type Search, wordsIn } from './search.ts';

export interface SearchFields {
  /** Name of the text field. */
  searchField?: string;
  placeholder: string;
  maxLength?: number;
  hasPerson?: boolean;
  hasDates?: boolean;
}

/** The fields of a search, the same in every list. */
export function searchBlocks({ search, person, from, to }: Search, fields: SearchFields): Blocks {
  const { searchField = 'search', placeholder, maxLength = bounds.searchChars, hasPerson, hasDates } = fields;
  const optional = true;
  return [
    textField(searchField, 'Search', { value: search, placeholder, maxLength, optional }),
    ...(hasPerson ? [personField('person', 'Person', person, { optional })] : []),
    ...(hasDates
      ? [dateField('fromDate', 'From date', from, { optional }), dateField('toDate', 'To date', to, { optional })]
      : []),
  ];
}

/** Reads the submitted fields. Throws the errors of all fields at once. */
export function readSearch(filled: Filled, searchField = 'search'): Search {
  const errors = createFieldErrors();
  const search = filled.text(searchField);
  if (wordsIn(search).length > bounds.searchWords) errors.add(tooManyWords(searchField));
  const dayIn = (field: string) => {
    const day = filled.date(field);
    if (day === undefined || isDay(day)) return day;
    errors.add(invalidDate(field));
    return undefined;
  };
  const [from, to] = [dayIn('fromDate'), dayIn('toDate')];
  if (from !== undefined && to !== undefined && to < from) errors.add(endsBeforeStart('toDate'));
  errors.throwIfAny();
  const [person] = filled.people('person');
  return {
    ...(search === '' ? {} : { search: search.slice(0, bounds.searchChars) }),
    ...(person === undefined ? {} : { person: person.slice(0, 30) }),
    from,
    to,
  };
}

/**
 * The search of a command, like `/drop history contract`. A command can't show field errors, so long searches are
 * shortened.
 */
export function typedSearch(words: readonly string[]): Search {
  const search = words.slice(0, bounds.searchWords).join(' ').slice(0, bounds.searchChars).trim();
  return search === '' ? {} : { search };
}

/** The period of the search, in the person's time zone. Looks the zone up only if there is a date. */
export async function periodOf(people: People, actor: Actor, { from, to }: Search): Promise<Period> {
  const [start, end] = [from, to].map((day) => (day !== undefined && isDay(day) ? day : undefined));
  if (start === undefined && end === undefined) return {};
  const zone = await people.zoneOf(actor);
  return {
    from: start === undefined ? undefined : startOfDay(start, zone),
    to: end === undefined ? undefined : endOfDay(end, zone),
  };
}

/** Shown instead of an empty list; undefined if nothing was searched for. */
export function noResultsText({ search = '', person, from, to }: Search): string | undefined {
  if (search !== '') return `No results for “${oneLine(search)}”.`;
  return [person, from, to].some((criterion) => criterion !== undefined) ? 'No results.' : undefined;
}
