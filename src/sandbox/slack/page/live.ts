import type { ServerResponse } from 'node:http';
import type { World } from '../world.ts';
import type { Actor } from './acts.ts';
import { snapshot } from './snapshot.ts';

/** How often the world is looked at: nothing in it announces its changes, and it is small. */
const everyMs = 100;

const lookers = new WeakMap<World, Set<() => void>>();

/** At once, after an act on a page: whoever did it is waiting for what comes of it. */
export function lookAgain(world: World): void {
  for (const look of lookers.get(world) ?? []) look();
}

/** Sends what this person sees, and again whenever that is something else, until the page goes away. */
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
