import type { Settings } from '../settings/settings.ts';
import type { KnownItem } from './item-rows.ts';

type Routes = Settings['routes'];

/** The channel that an admin has set for this sender, by address or domain: the first that fits. */
export function routeFor(routes: Routes, sender = ''): string | undefined {
  const address = sender.trim().toLowerCase();
  const domain = address.includes('@') ? address.split('@').at(-1) : undefined;
  return routes.find(({ from }) => {
    const wanted = from.trim().toLowerCase().replace(/^@/, '');
    return wanted !== '' && (wanted === address || wanted === domain);
  })?.channel;
}

/** Items that go to the same place, in their order. */
export function byRoute(routes: Routes, items: readonly KnownItem[]): KnownItem[][] {
  const groups = new Map<string | undefined, KnownItem[]>();
  for (const known of items) {
    const route = routeFor(routes, known.item.sender);
    const group = groups.get(route) ?? [];
    group.push(known);
    groups.set(route, group);
  }
  return [...groups.values()];
}
