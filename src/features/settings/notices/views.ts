import { line, list, note } from '../../../slack/blocks.ts';
import { type Content, contentOf } from '../../../slack/messages.ts';
import { andList } from '../../../slack/words.ts';
import type { AdminNotice, Phrase } from '../../common/services.ts';

/** Tells an admin what another one did that weakens how files are protected. */
export function adminNoticeContent({ by, changes }: AdminNotice): Content {
  const [first = [], ...others] = changes;
  const blocks =
    others.length === 0
      ? [line('⚠️ ', { user: by }, ' ', ...first, '.')]
      : [line('⚠️ ', { user: by }, ' changed how files are protected here:'), list(changes)];
  return contentOf(`⚠️ An admin ${andList(changes.map(textOf), changes.length)}.`, [
    ...blocks,
    note('You get this because you set up Dropline here or are an additional admin. Details: /drop audit.'),
  ]);
}

/** Without names, which the text of a notification can't show. */
const textOf = (phrase: Phrase): string =>
  phrase.map((piece) => (typeof piece === 'string' ? piece : 'user' in piece ? 'someone' : 'a channel')).join('');
