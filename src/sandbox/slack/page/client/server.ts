import type { ElementRef, State } from './state.ts';
import { redraw, toast, ui } from './ui.ts';

let person = '';
let source: EventSource | undefined;
let queue: Promise<unknown> = Promise.resolve();

/** Subscribes to what this person sees. */
export function subscribe(id: string, show: (state: State) => void): void {
  person = id;
  source?.close();
  const stream = new EventSource(`/-/page/${id}/live`);
  source = stream;
  stream.onmessage = ({ data }) => {
    ui.isLive = true;
    show(JSON.parse(data) as State);
  };
  stream.onerror = () => {
    ui.isLive = false;
    redraw();
    // The browser reconnects by itself only if it was connected before.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => source === stream && subscribe(id, show), 1_000);
  };
}

/** Performs an action as the shown person, after all earlier actions. */
export function act(name: string, args: object = {}): Promise<unknown> {
  if (name !== 'choose') commitTyped();
  return enqueue(() => post(`/-/page/${person}/${name}`, JSON.stringify(args)));
}

export function simulate(name: string): Promise<unknown> {
  return enqueue(() => post('/-/page/outside', name));
}

export interface Uploaded {
  id: string;
  name: string;
  size: number;
}

/** Uploads a file; others can't see it until it is shared or submitted. */
export function upload(file: File): Promise<Uploaded> {
  return enqueue(() =>
    post(`/-/page/${person}/files?name=${encodeURIComponent(file.name)}`, file),
  ) as Promise<Uploaded>;
}

function enqueue(work: () => Promise<unknown>): Promise<unknown> {
  const result = queue.then(work);
  queue = result.catch(() => {});
  return result;
}

async function post(path: string, body: BodyInit): Promise<unknown> {
  const response = await fetch(path, { method: 'POST', body }).catch(() => undefined);
  const answer = (await response?.json().catch(() => undefined)) as { result?: unknown; error?: string } | undefined;
  if (response?.ok) return answer?.result;
  const message = answer?.error ?? "The sandbox isn't responding.";
  toast(`${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`);
  throw new Error(message);
}

/** For actions that aren't awaited: their errors are already shown as a toast. */
export function ignoreErrors(work: Promise<unknown>): void {
  work.catch(() => {});
}

const typed = new Map<string, { ref: ElementRef; value: string; timer: ReturnType<typeof setTimeout> }>();
const debounceMs = 300;

/** Debounces typed text; it is sent before any action except `choose`. */
export function type(ref: ElementRef, value: string): void {
  const key = JSON.stringify(ref);
  clearTimeout(typed.get(key)?.timer);
  typed.set(key, { ref, value, timer: setTimeout(commitTyped, debounceMs) });
}

export function commitTyped(): void {
  for (const [key, { ref, value, timer }] of typed) {
    clearTimeout(timer);
    typed.delete(key);
    ignoreErrors(act('choose', { ref, value: value === '' ? null : value }));
  }
}
