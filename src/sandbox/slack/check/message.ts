import { attachmentList } from './attachments.ts';
import { blockLists } from './blocks/index.ts';
import { limits } from './limits.ts';
import { checkMetadata } from './metadata.ts';
import { type Check, type CheckState, child, createCheckState, rootOf } from './path.ts';
import { type Problem, problemIn } from './problem.ts';
import { entries, isFields } from './shapes.ts';
import { checkTotals } from './totals.ts';
import { text } from './values.ts';

/** The fields of a message that are checked here. */
export interface Message {
  text?: unknown;
  blocks?: unknown;
  attachments?: unknown;
  markdown_text?: unknown;
  metadata?: unknown;
}

export function checkMessage(message: Message): Problem | undefined {
  // Block ids are unique within the message, across both lists.
  const state = createCheckState('message');
  return (
    checkText(message) ??
    checkMarkdownText(message) ??
    checkBlocks(message.blocks, state) ??
    checkAttachments(message.attachments, state) ??
    checkTotals(blocksIn(message)) ??
    checkContent(message) ??
    (message.metadata === undefined ? undefined : checkMetadata(message.metadata))
  );
}

function checkText({ text: value }: Message): Problem | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length > limits.message.text) return { error: 'msg_too_long', messages: [] };
  return checkArgument('text', value, text(limits.message.text, 0));
}

function checkMarkdownText(message: Message): Problem | undefined {
  const { markdown_text: value } = message;
  if (value === undefined) return undefined;
  if (message.text !== undefined || message.blocks !== undefined) {
    return { error: 'markdown_text_conflict', messages: [] };
  }
  if (typeof value === 'string' && value.length > limits.message.markdown) {
    return { error: 'msg_too_long', messages: [] };
  }
  return checkArgument('markdown_text', value, text(limits.message.markdown));
}

function checkBlocks(blocks: unknown, state: CheckState): Problem | undefined {
  if (blocks === undefined || isEmpty(blocks)) return undefined;
  if (!Array.isArray(blocks)) return { error: 'invalid_blocks_format', messages: [] };
  blockLists.message(blocks, child(rootOf(state), 'blocks'));
  return problemIn(state, 'invalid_blocks');
}

function checkAttachments(attachments: unknown, state: CheckState): Problem | undefined {
  if (attachments === undefined) return undefined;
  if (entries(attachments).length > limits.message.attachments) return { error: 'too_many_attachments', messages: [] };
  attachmentList(attachments, child(rootOf(state), 'attachments'));
  return problemIn(state, 'invalid_attachments');
}

function checkContent({ text, markdown_text, blocks, attachments }: Message): Problem | undefined {
  const hasText = [text, markdown_text].some((value) => typeof value === 'string' && value.trim() !== '');
  const hasBlocks = [blocks, attachments].some((list) => entries(list).length > 0);
  return hasText || hasBlocks ? undefined : { error: 'no_text', messages: [] };
}

function checkArgument(name: string, value: unknown, check: Check): Problem | undefined {
  const state = createCheckState('message');
  check(value, child(rootOf(state), name));
  return problemIn(state, 'invalid_arguments');
}

function blocksIn({ blocks, attachments }: Message): unknown[] {
  const attached = entries(attachments).flatMap((one) => (isFields(one) ? entries(one.blocks) : []));
  return [...entries(blocks), ...attached];
}

/** An empty list removes the previous blocks of a message. */
function isEmpty(blocks: unknown): boolean {
  return Array.isArray(blocks) && blocks.length === 0;
}
