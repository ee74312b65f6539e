import { cutTo } from '../../slack/limits.ts';
import { oneLine } from '../../slack/words.ts';

const acts: Record<string, string> = {
  connect: 'Connect the workspace',
  disconnect: 'Disconnect the workspace',
  confirm: 'Confirm a dispatch',
  dispatch: 'Dispatch',
  grant: 'Request for files',
  cancel: 'Cancel a dispatch',
  download: 'Download a file',
  settings: 'Change settings',
};

/** The name of an action. One that isn't listed above shows its stored name. */
export function actionNames(act: string): string {
  return acts[act] ?? `${act.charAt(0).toUpperCase()}${act.slice(1)}`;
}

/** The outcome in words: "done", "sent", or the error code. */
export function outcomeWords(outcome: string): string {
  return outcome.replaceAll('-', ' ');
}

/** The details of an audit entry in one line. Names in them come from outside. */
export function detailWords(details: unknown, most = 300): string {
  if (typeof details !== 'object' || details === null) return '';
  const parts = Object.entries(details).map(([key, value]) => [key, wordsOf(value)] as const);
  const said = parts.filter(([, words]) => words !== '').map(([key, words]) => `${key}: ${words}`);
  return cutTo(oneLine(said.join('; ')), most);
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value))
    return value
      .map(wordsOf)
      .filter((words) => words !== '')
      .join(', ');
  if (typeof value !== 'object') return String(value);
  const { name, sentence } = value as { name?: unknown; sentence?: unknown };
  const telling = name ?? sentence;
  return typeof telling === 'string' ? telling : JSON.stringify(value);
}
