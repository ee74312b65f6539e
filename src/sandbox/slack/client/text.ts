import { escapedText } from '../state/escaped-text.ts';
import type { Team } from '../state/model.ts';

/** Typed text as Slack encodes it: people and channels by id, addresses as links. */
export function escapeText(team: Team, typed: string): string {
  return escapedText(typed)
    .replace(/(^|\s)(https?:\/\/[^\s|]+)/g, '$1<$2>')
    .replace(/(^|\s)([\w.+-]+@[\w-]+\.[\w.-]+)/g, '$1<mailto:$2|$2>')
    .replace(/(^|\s)@([\w.-]+)/g, (whole, before: string, handle: string) => {
      const user = [...team.users.values()].find((candidate) => candidate.handle === handle.toLowerCase());
      return user ? `${before}<@${user.id}|${user.handle}>` : whole;
    })
    .replace(/(^|\s)#([\w-]+)/g, (whole, before: string, name: string) => {
      const channel = [...team.channels.values()].find(
        (candidate) => candidate.kind !== 'im' && candidate.name === name,
      );
      return channel ? `${before}<#${channel.id}|${channel.name}>` : whole;
    });
}
