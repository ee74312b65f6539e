import type { Json, Team } from '../../state/model.ts';

/** Rich text as plain text: people and channels by name, lists with a dash. */
export function drawRichText(team: Team, value: Json): string {
  const elements = Array.isArray(value.elements) ? (value.elements as Json[]) : [];
  switch (value.type) {
    case 'rich_text':
      return elements.map((element) => drawRichText(team, element)).join('\n');
    case 'rich_text_list':
      return elements.map((element) => `- ${drawRichText(team, element)}`).join('\n');
    case 'user':
      return `@${team.users.get(String(value.user_id))?.name ?? value.user_id}`;
    case 'channel':
      return `#${team.channels.get(String(value.channel_id))?.name ?? value.channel_id}`;
    case 'link':
      return String(value.text ?? value.url);
    case 'date':
      return String(value.fallback ?? value.timestamp);
    case 'text':
      return String(value.text);
    default:
      return elements.map((element) => drawRichText(team, element)).join('');
  }
}
