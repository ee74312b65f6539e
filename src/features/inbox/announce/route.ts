import type { RequestMatch } from '../../common/services.ts';
import type { Settings } from '../../settings/settings.ts';
import { belongingOf, type OpenRequest } from '../../transfers/kinds/request/matching.ts';
import type { KnownItem } from '../items/table.ts';

type Routes = Settings['routes'];

/** The channel that an admin has set for this sender's address or domain. The first match wins. */
export function routeFor(routes: Routes, sender = ''): string | undefined {
  const address = sender.trim().toLowerCase();
  const domain = address.includes('@') ? address.split('@').at(-1) : undefined;
  return routes.find(({ from }) => {
    const pattern = from.trim().toLowerCase().replace(/^@/, '');
    return pattern !== '' && (pattern === address || pattern === domain);
  })?.channel;
}

export interface Group {
  requestMatch: RequestMatch;
  items: KnownItem[];
}

/** Groups items by location and matching requests. Keeps their order. */
export function groupByLocation(
  routes: Routes,
  requests: readonly OpenRequest[],
  items: readonly KnownItem[],
): Group[] {
  const groups = new Map<string, Group>();
  for (const known of items) {
    const { sender } = known.item;
    const requestMatch = belongingOf(sender, requests);
    const key = JSON.stringify([routeFor(routes, sender), ...requestMatch.requests.map(({ id }) => id)]);
    const group = groups.get(key) ?? { requestMatch, items: [] };
    group.items.push(known);
    groups.set(key, group);
  }
  return [...groups.values()];
}
