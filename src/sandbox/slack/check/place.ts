/** The surface on which blocks are shown. */
export type Surface = 'message' | 'modal' | 'home';

/** State of one check, collected along the way. */
export interface Whole {
  surface: Surface;
  refusals: string[];
  blockIds: Set<string>;
  inputs: number;
  focused: number;
}

/** The path to a value. Its JSON pointer is built only for refusals. */
export interface Place {
  readonly whole: Whole;
  readonly parent?: Place;
  readonly key?: string;
}

/** Refuses the value at this path if something is wrong with it. */
export type Check = (value: unknown, place: Place) => void;

/** Limits the size of the answer. */
const mostRefusals = 50;

export function createWhole(surface: Surface): Whole {
  return { surface, refusals: [], blockIds: new Set(), inputs: 0, focused: 0 };
}

export function rootOf(whole: Whole): Place {
  return { whole };
}

export function below(place: Place, key: string | number): Place {
  return { whole: place.whole, parent: place, key: String(key) };
}

export function refuse(place: Place, words: string): void {
  const { refusals } = place.whole;
  if (refusals.length < mostRefusals) refusals.push(`[ERROR] ${words} [json-pointer:${pointer(place)}]`);
}

function pointer(place: Place): string {
  return place.parent && place.key !== undefined ? `${pointer(place.parent)}/${escaped(place.key)}` : '';
}

/** Escapes a key for a JSON pointer (RFC 6901). Long keys are shortened, and half a character is never left over. */
function escaped(key: string): string {
  return shortened(key).replaceAll('~', '~0').replaceAll('/', '~1');
}

export function shortened(text: string): string {
  return (text.length > 100 ? `${text.slice(0, 100)}…` : text).toWellFormed();
}
