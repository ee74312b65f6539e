/** State of the page itself, for example open lists; the server has no copy of it. */
const states = new Map<string, unknown>();
let touched = new Set<string>();
let draw: () => void = () => {};
let isDue = false;

/** State of one part of the page; dropped when that part is no longer rendered. */
export function local<T extends object>(key: string, initial: () => T): T {
  touched.add(key);
  const known = states.get(key) ?? initial();
  states.set(key, known);
  return known as T;
}

/** State that stays whether it is rendered or not. */
export const ui = {
  /** The ts of the open thread's first message. */
  thread: undefined as string | undefined,
  /** On a narrow page: the side panel that covers the middle. */
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

/** Renders the page once, however often it is called in the same tick. */
export function redraw(): void {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    draw();
  });
}

let toastTimer: number | undefined;

/** Shows an error message for a few seconds. */
export function toast(words: string): void {
  ui.toast = words;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    ui.toast = '';
    redraw();
  }, 6_000);
  redraw();
}
