import { cutTo } from '../../slack/limits.ts';
import { oneLine } from '../../slack/words.ts';

const actionNames: Record<string, string> = {
  connect: 'Connected the workspace',
  disconnect: 'Disconnected the workspace',
  confirm: 'Confirmed a transfer',
  dispatch: 'Sent files',
  grant: 'Requested files',
  cancel: 'Cancelled a transfer',
  download: 'Downloaded a file',
  settings: 'Changed settings',
};

/** The name of an action: from the list above, or its stored name. */
export function actionName(action: string): string {
  return actionNames[action] ?? `${action.charAt(0).toUpperCase()}${action.slice(1)}`;
}

/** The outcome in words: "done", "sent", or the error code. */
export function outcomeText(outcome: string): string {
  return outcome.replaceAll('-', ' ');
}

/** The details of an audit entry in one line. Names in them are untrusted. */
export function detailText(details: unknown, maxChars = 300): string {
  if (typeof details !== 'object' || details === null) return '';
  const parts = Object.entries(details).map(([key, value]) => [key, textOf(value)] as const);
  const shown = parts.filter(([, text]) => text !== '').map(([key, text]) => `${key}: ${text}`);
  return cutTo(oneLine(shown.join('; ')), maxChars);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value))
    return value
      .map(textOf)
      .filter((text) => text !== '')
      .join(', ');
  if (typeof value !== 'object') return String(value);
  const { name, sentence: message } = value as { name?: unknown; sentence?: unknown };
  const text = name ?? message;
  return typeof text === 'string' ? text : JSON.stringify(value);
}
