import type { Json, Team } from '../state/model.ts';

/** A text object as a person sees it. */
export function textOf(team: Team, value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const { type, text } = value as Json;
  if (typeof text !== 'string') return '';
  return type === 'mrkdwn' ? renderMarkup(team, text) : text;
}

/** Slack's markup as a person sees it: names instead of ids, labels instead of links, no formatting characters. */
export function renderMarkup(team: Team, markup: string): string {
  const named = markup.replace(/<([^<>]+)>/g, (_, inner: string) => reference(team, inner));
  return unescaped(withoutFormatting(named));
}

function reference(team: Team, inner: string): string {
  const [target = '', label] = inner.split('|');
  if (target.startsWith('@')) return `@${team.users.get(target.slice(1))?.name ?? label ?? target.slice(1)}`;
  if (target.startsWith('#')) return `#${team.channels.get(target.slice(1))?.name ?? label ?? target.slice(1)}`;
  // <!channel>, <!here>; a date shows its fallback.
  if (target.startsWith('!')) return label ?? `@${target.slice(1).split('^')[0]}`;
  return label ?? target.replace(/^mailto:/, '');
}

/** Removes formatting characters around whole words; inside code they stay. */
function withoutFormatting(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part) =>
      part.startsWith('`')
        ? part.replace(/^`+|`+$/g, '')
        : part.replace(/(^|[\s(])([*_~])(\S(?:.*?\S)?)\2(?=$|[\s).,:;!?])/gm, '$1$3'),
    )
    .join('');
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** The web links in a mrkdwn text object; none for any other value. */
export function linksIn(value: unknown): { label: string; url: string }[] {
  const { type, text } = (typeof value === 'object' && value !== null ? value : {}) as Json;
  if (type !== 'mrkdwn' || typeof text !== 'string') return [];
  return [...text.matchAll(/<(https?:[^<>|]+)(?:\|([^<>]+))?>/g)].map(([, url = '', label]) => ({
    label: unescaped(label ?? url),
    url: unescaped(url),
  }));
}
