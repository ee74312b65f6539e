import type { ServerResponse } from 'node:http';
import type { World } from '../world.ts';
import type { Actor } from './acts.ts';
import { snapshot } from './snapshot.ts';

/** Polling interval: the world sends no change events, and it is small. */
const everyMs = 100;

const lookers = new WeakMap<World, Set<() => void>>();

/** Refreshes at once after an action on a page, because the person waits for the result. */
export function lookAgain(world: World): void {
  for (const look of lookers.get(world) ?? []) look();
}

/** Streams what this person sees, whenever it changes, until the page disconnects. */
export async function showLive({ world, team, user }: Actor, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  let shown = '';
  const look = () => {
    const text = JSON.stringify(snapshot(world, team, user));
    if (text === shown) return;
    shown = text;
    response.write(`data: ${text}\n\n`);
  };
  look();
  const timer = setInterval(look, everyMs);
  const own = lookers.get(world) ?? new Set();
  lookers.set(world, own.add(look));
  response.once('close', () => {
    clearInterval(timer);
    own.delete(look);
  });
}
