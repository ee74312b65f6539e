import type { User } from '../state/model.ts';
import type { World } from '../state/world.ts';
import type { Member } from './client/state.ts';

export function memberOf({ id, name, role }: User): Member {
  return { id, name, role };
}

/** Whether the page can act as this user: only people with an active account, not bots. */
export function isPlayable(world: World, user: User): boolean {
  return world.people.has(user.id) && user.botId === undefined && !user.deactivated;
}
