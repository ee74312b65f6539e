/** Where blocks are shown. */
export type Surface = 'message' | 'modal' | 'home';

/** What is known of the whole that is being checked, gathered on the way. */
export interface Whole {
  surface: Surface;
  refusals: string[];
  blockIds: Set<string>;
  inputs: number;
  focused: number;
}

/** One value within the whole. Its pointer is spelled out only where something is refused. */
export interface Place {
  readonly whole: Whole;
  readonly parent?: Place;
  readonly key?: string;
}

/** Refuses what is wrong with the value at this place; says nothing where nothing is. */
export type Check = (value: unknown, place: Place) => void;

/** An answer must not grow with what was sent: who has so many mistakes does not read the rest. */
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

/** RFC 6901; and a key from outside is cut where it is long, and never leaves half a character behind. */
function escaped(key: string): string {
  return shortened(key).replaceAll('~', '~0').replaceAll('/', '~1');
}

export function shortened(foreign: string): string {
  return (foreign.length > 100 ? `${foreign.slice(0, 100)}…` : foreign).toWellFormed();
}
