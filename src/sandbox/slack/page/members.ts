import type { User } from '../state/model.ts';
import type { Member } from './client/state.ts';

export function memberOf({ id, name, role }: User): Member {
  return { id, name, role };
}

/** Whether the page can act as this user: only people with an active account, not bots. */
export function isPlayable(user: User): boolean {
  return user.botId === undefined && !user.deactivated;
}
