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
export interface Path {
  readonly whole: Whole;
  readonly parent?: Path;
  readonly key?: string;
}

/** Refuses the value at this path if something is wrong with it. */
export type Check = (value: unknown, path: Path) => void;

/** Limits the size of the answer. */
const mostRefusals = 50;

export function createWhole(surface: Surface): Whole {
  return { surface, refusals: [], blockIds: new Set(), inputs: 0, focused: 0 };
}

export function rootOf(whole: Whole): Path {
  return { whole };
}

export function below(path: Path, key: string | number): Path {
  return { whole: path.whole, parent: path, key: String(key) };
}

export function refuse(path: Path, words: string): void {
  const { refusals } = path.whole;
  if (refusals.length < mostRefusals) refusals.push(`[ERROR] ${words} [json-pointer:${pointer(path)}]`);
}

function pointer(path: Path): string {
  return path.parent && path.key !== undefined ? `${pointer(path.parent)}/${escaped(path.key)}` : '';
}

/** Escapes a key for a JSON pointer (RFC 6901). Long keys are shortened, and half a character is never left over. */
function escaped(key: string): string {
  return shortened(key).replaceAll('~', '~0').replaceAll('/', '~1');
}

export function shortened(text: string): string {
  return (text.length > 100 ? `${text.slice(0, 100)}…` : text).toWellFormed();
}
