/** The surface on which blocks are shown. */
export type Surface = 'message' | 'modal' | 'home';

/** The state of one check. */
export interface CheckState {
  surface: Surface;
  refusals: string[];
  blockIds: Set<string>;
  inputs: number;
}

/** The path to a value. Its JSON pointer is built only for refusals. */
export interface Path {
  readonly state: CheckState;
  readonly parent?: Path;
  readonly key?: string;
}

/** Refuses the value at this path if something is wrong with it. */
export type Check = (value: unknown, path: Path) => void;

/** Limits the size of the error response. */
const maxRefusals = 50;

export function createCheckState(surface: Surface): CheckState {
  return { surface, refusals: [], blockIds: new Set(), inputs: 0 };
}

export function rootOf(state: CheckState): Path {
  return { state };
}

export function child(path: Path, key: string | number): Path {
  return { state: path.state, parent: path, key: String(key) };
}

export function refuse(path: Path, message: string): void {
  const { refusals } = path.state;
  if (refusals.length < maxRefusals) refusals.push(`[ERROR] ${message} [json-pointer:${pointer(path)}]`);
}

function pointer(path: Path): string {
  return path.parent && path.key !== undefined ? `${pointer(path.parent)}/${escaped(path.key)}` : '';
}

/** Escapes a key for a JSON pointer (RFC 6901). Long keys are shortened. */
function escaped(key: string): string {
  return shortened(key).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Shortens a text to 100 UTF-16 units and an ellipsis. Lone surrogates, for example at the cut, become U+FFFD. */
export function shortened(text: string): string {
  return (text.length > 100 ? `${text.slice(0, 100)}…` : text).toWellFormed();
}
