import type { Phrase } from '../../common/services.ts';

/** What a change of one setting lets people do, see or send: for the notice to the other admins. */
export type Weakens<T> = (before: T, after: T) => Phrase[];

export const when = (isWeaker: boolean, ...phrase: Phrase): Phrase[] => (isWeaker ? [phrase] : []);

/** For a maximum; undefined is none. */
export const raised =
  (gone: string, higher: (value: number) => string): Weakens<number | undefined> =>
  (before, after) => {
    if (before === undefined) return [];
    return after === undefined ? [[gone]] : when(after > before, higher(after));
  };

/** For a list of what is allowed; an empty one turns the rule off. */
export const longer =
  (
    gone: string,
    more: string,
    show: (items: string[]) => Phrase = (items) => named(items),
  ): Weakens<readonly string[]> =>
  (before, after) => {
    if (before.length === 0) return [];
    return after.length === 0 ? [[gone]] : added(before, after, (items) => [more, ...show(items)]);
  };

export function added(
  before: readonly string[],
  after: readonly string[],
  phraseOf: (items: string[]) => Phrase,
): Phrase[] {
  const items = after.filter((item) => !before.includes(item));
  return items.length === 0 ? [] : [phraseOf(items)];
}

/** Lists of people can name private channels too. Slack's ids of channels begin with C or G, those of people don't. */
export const isChannel = (id: string) => /^[CG]/.test(id);

export const mention = (id: string) => (isChannel(id) ? { channel: id } : { user: id });

const maxNamed = 10;

export function named(items: readonly (Phrase | Phrase[number])[], max = maxNamed): Phrase {
  const shown = items.slice(0, max).flatMap((item, index) => [...(index === 0 ? [] : [', ']), ...[item].flat()]);
  return items.length > max ? [...shown, ` and ${items.length - max} more`] : shown;
}

export const people = (ids: readonly string[]): Phrase =>
  named(ids.map((id) => (isChannel(id) ? ['members of ', mention(id)] : mention(id))));
