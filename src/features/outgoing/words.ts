import { andList } from '../../slack/words.ts';
import type { TransferDetails } from './ledger.ts';

/** What the history shows instead of what was confirmed, where that was noticed; and what comes of it. */
export function differenceSentences({ difference }: TransferDetails): string[] {
  if (difference === undefined) return [];
  return [difference.sentence, `It names: ${andList(difference.names, 20)}.`];
}

export const pausedSentence = 'I let an admin know. Sending is paused until one has looked into it.';
