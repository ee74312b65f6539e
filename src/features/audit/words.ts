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

/** What was done; an act that has no words of its own here is called what it is called there. */
export function actionNames(act: string): string {
  return acts[act] ?? `${act.charAt(0).toUpperCase()}${act.slice(1)}`;
}

/** How it ended: "done", "sent", or the code of what went wrong, as words. */
export function outcomeWords(outcome: string): string {
  return outcome.replaceAll('-', ' ');
}

/** What is known of an act, in one line. Names within are strangers'. */
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
