import type { SidebarEntry, State } from './state.ts';

const seen = new Map<string, string>(JSON.parse(sessionStorage.getItem('seen') ?? '[]') as [string, string][]);

/** Marks the messages of an open entry as seen; returns whether an entry has messages not yet seen in this tab. */
export function updateUnread({ me, destination }: State, { opens, latest, isCurrent }: SidebarEntry): boolean {
  if (latest === undefined) return false;
  const key = `${me.id} ${opens}`;
  if (isCurrent && destination?.kind === 'conversation' && !document.hidden) {
    seen.set(key, latest);
    sessionStorage.setItem('seen', JSON.stringify([...seen]));
  }
  return (seen.get(key) ?? '') < latest;
}
