/** What the page itself remembers, beside what the server tells: which list is open, what is being typed. */
const states = new Map<string, unknown>();
let touched = new Set<string>();
let draw: () => void = () => {};
let isDue = false;

/** The state of a part of the page that has no other home. It goes when that part is no longer drawn. */
export function local<T extends object>(key: string, initial: () => T): T {
  touched.add(key);
  const known = states.get(key) ?? initial();
  states.set(key, known);
  return known as T;
}

/** State that stays whether it is drawn or not. */
export const ui = {
  /** The first message of the thread that is open. */
  thread: undefined as string | undefined,
  /** On a narrow page, which of the sides covers the middle. */
  drawer: undefined as 'places' | 'beside' | undefined,
  toast: '',
  isLive: true,
};

export function drawWith(render: () => void): void {
  draw = () => {
    touched = new Set();
    render();
    for (const key of states.keys()) if (!touched.has(key)) states.delete(key);
  };
}

/** Draws the page anew, once, however often it is asked for. */
export function redraw(): void {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    draw();
  });
}

let toastTimer: number | undefined;

/** Something that went wrong, in words, for a while. */
export function toast(words: string): void {
  ui.toast = words;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    ui.toast = '';
    redraw();
  }, 6_000);
  redraw();
}
