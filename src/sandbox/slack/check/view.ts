import { Buffer } from 'node:buffer';
import { z } from 'zod';
import { homeBlocks, modalBlocks } from './blocks.ts';
import { limits } from './limits.ts';
import { type Problem, problemIn } from './problem.ts';
import { flag, id, plainText, text, typed } from './values.ts';

/**
 * Slack returns these as empty strings if they weren't set. An empty string is refused here, so that a bot doesn't send
 * a returned view back unchanged.
 */
const metadata = {
  private_metadata: text(limits.view.privateMetadata).optional(),
  callback_id: id.optional(),
};

const modal = typed('modal', {
  ...metadata,
  title: plainText(limits.view.title),
  submit: plainText(limits.view.submit).optional(),
  close: plainText(limits.view.close).optional(),
  notify_on_close: flag,
  blocks: modalBlocks,
}).refine(
  ({ submit, blocks }) => submit !== undefined || !blocks.some(({ type }) => type === 'input'),
  'missing required field: submit',
);

const home = typed('home', { ...metadata, blocks: homeBlocks });

const view = z.discriminatedUnion('type', [modal, home]);

/** Checks a modal or a Home tab, by its `type`. */
export function checkView(value: unknown): Problem | undefined {
  return problemIn(view, value, 'invalid_arguments', '/view') ?? checkSize(value);
}

/** Runs last: a view that passed the other checks isn't nested too deeply for JSON.stringify. */
function checkSize(value: unknown): Problem | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > limits.view.bytes ? { error: 'view_too_large', messages: [] } : undefined;
}
