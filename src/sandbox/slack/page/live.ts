import type { ServerResponse } from 'node:http';
import type { World } from '../state/world.ts';
import type { Actor } from './actions.ts';
import { snapshot } from './snapshot.ts';

/** Polling interval: the simulation has no change events, and comparing its small state is cheap. */
const pollMs = 100;

const refreshers = new WeakMap<World, Set<() => void>>();

/** Call it after an action on a page: the person waits for the result, so the pages don't wait for the next poll. */
export function refreshPages(world: World): void {
  for (const refresh of refreshers.get(world) ?? []) refresh();
}

/** Streams what this person sees, whenever it changes, until the page disconnects. */
export async function streamState(actor: Actor, response: ServerResponse): Promise<void> {
  const { world } = actor;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  let sent = '';
  const refresh = () => {
    const state = JSON.stringify(snapshot(actor));
    if (state === sent) return;
    sent = state;
    response.write(`data: ${state}\n\n`);
  };
  refresh();
  const timer = setInterval(refresh, pollMs);
  const worldRefreshers = refreshers.get(world) ?? new Set();
  refreshers.set(world, worldRefreshers.add(refresh));
  response.once('close', () => {
    clearInterval(timer);
    worldRefreshers.delete(refresh);
  });
}
