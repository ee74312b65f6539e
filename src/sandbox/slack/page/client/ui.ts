/** State of the page itself, for example open lists. The server doesn't store it. */
const states = new Map<string, unknown>();
let usedKeys = new Set<string>();
let draw: () => void = () => {};
let isScheduled = false;

/** State of one part of the page; dropped when that part is no longer rendered. */
export function local<T extends object>(key: string, initial: () => T): T {
  usedKeys.add(key);
  const state = states.get(key) ?? initial();
  states.set(key, state);
  return state as T;
}

/** State that stays even if it isn't rendered. */
export const ui = {
  /** The ts of the open thread's first message. */
  thread: undefined as string | undefined,
  /** On a narrow page: the sidebar or the side panel, if it covers the middle. */
  drawer: undefined as 'sidebar' | 'panel' | undefined,
  /** How many files are being uploaded for the open form. */
  uploads: 0,
  toast: '',
  isLive: true,
};

export function setRenderer(render: () => void): void {
  draw = () => {
    usedKeys = new Set();
    render();
    for (const key of states.keys()) if (!usedKeys.has(key)) states.delete(key);
  };
}

/** Renders the page once, however often it is called in the same tick. */
export function redraw(): void {
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => {
    isScheduled = false;
    draw();
  });
}

let toastTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows an error message for a few seconds. */
export function toast(text: string): void {
  ui.toast = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    ui.toast = '';
    redraw();
  }, 6_000);
  redraw();
}
