import { z } from 'zod';
import { actions, type Blocks, button, section } from '../../slack/blocks.ts';
import { limits } from '../../slack/limits.ts';
import { codec } from '../../slack/metadata.ts';
import { andList, count } from '../../slack/words.ts';

export interface FileProblem {
  name?: string;
  /** Why the file can't be sent; undefined if it is gone. */
  problem?: string;
}

export function problemText({ name, problem }: FileProblem): string {
  if (problem !== undefined) return name === undefined ? problem : `“${name}”: ${problem}`;
  return name === undefined ? "A file that's no longer in Slack" : `“${name}” is no longer in Slack`;
}

export function unstageButton(action: string, id: string, name: string | undefined) {
  return button('Remove', action, {
    value: id,
    accessibilityLabel: `Remove ${name ?? "the file that can't be sent"}`,
  });
}

/** One answer for all files that a person has just shared. */
export function stagedMessage(names: readonly string[], total: number): { text: string; blocks: Blocks } {
  const totalText = total > names.length ? ` ${count(total, 'file')} in total.` : '';
  const text = `Ready to send: ${andList(names, 5)}.${totalText}`;
  return {
    text,
    blocks: [
      section(text),
      actions(
        button(`Send ${count(total, 'file')}…`, 'send.open', { style: 'primary' }),
        button('View files', 'files.show'),
      ),
    ],
  };
}

const maxOffered = 50;

/** Ids of the files that a person shared in a watched channel. */
export const offerValue = codec(
  'watched files button',
  z.object({ files: z.array(z.string().max(30)).max(maxOffered) }),
  limits.buttonValue,
);

/** Asks a person who shared files in a watched channel whether to send them. Nothing is staged unless they accept. */
export function offerMessage(files: readonly { id: string; name: string }[]): { text: string; blocks: Blocks } {
  const offered = files.slice(0, maxOffered);
  const names = andList(offered.map(({ name }) => name));
  const text = `Send ${names} securely?`;
  const value = offerValue.write({ files: offered.map(({ id }) => id) });
  return {
    text,
    blocks: [
      section(text),
      actions(
        button('Send securely…', 'send.offer', {
          value,
          style: 'primary',
          accessibilityLabel: `Send securely: ${names}`,
        }),
        button('Dismiss', 'send.dismiss'),
      ),
    ],
  };
}
