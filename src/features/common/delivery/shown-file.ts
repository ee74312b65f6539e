import { truncateText } from '../../../slack/limits.ts';
import { oneLine } from '../../../slack/words.ts';
import { safeName } from '../names.ts';

export interface ShownFile {
  name: string;
  sender?: string;
}

/** The name under which the file is saved, truncated. The original can have characters that fake another name. */
export const shownName = (name: string): string => truncateText(safeName(name), 150);

export function fileAndSenderText({ name, sender = '' }: ShownFile): string {
  const from = truncateText(oneLine(sender), 254);
  return from === '' ? `“${shownName(name)}”` : `“${shownName(name)}” from ${from}`;
}
