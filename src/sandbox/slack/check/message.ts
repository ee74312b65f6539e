import { blockLists } from './blocks/index.ts';
import { limits } from './limits.ts';
import { child, createCheckState, refuse, rootOf } from './path.ts';
import { type Problem, problemIn } from './problem.ts';
import { text } from './values.ts';

/** What Slack also accepts in a message and the bot doesn't use. */
const unsupported = ['attachments', 'markdown_text', 'metadata'];

export function checkMessage(message: Readonly<Record<string, unknown>>): Problem | undefined {
  return (
    checkSupported(message) ??
    checkText(message.text) ??
    checkBlocks(message.blocks) ??
    checkTotal(message.blocks) ??
    checkContent(message)
  );
}

function checkSupported(message: Readonly<Record<string, unknown>>): Problem | undefined {
  const state = createCheckState('message');
  for (const name of unsupported) {
    if (message[name] !== undefined) refuse(child(rootOf(state), name), `${name} is not supported by this sandbox`);
  }
  return problemIn(state, 'invalid_arguments');
}

function checkText(value: unknown): Problem | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length > limits.message.text) return { error: 'msg_too_long', messages: [] };
  const state = createCheckState('message');
  text(limits.message.text, 0)(value, child(rootOf(state), 'text'));
  return problemIn(state, 'invalid_arguments');
}

function checkBlocks(blocks: unknown): Problem | undefined {
  if (blocks === undefined || isEmpty(blocks)) return undefined;
  if (!Array.isArray(blocks)) return { error: 'invalid_blocks_format', messages: [] };
  const state = createCheckState('message');
  blockLists.message(blocks, child(rootOf(state), 'blocks'));
  return problemIn(state, 'invalid_blocks');
}

/** Runs after `checkBlocks`, so that recursion is safe: valid blocks aren't nested deeply. */
function checkTotal(blocks: unknown): Problem | undefined {
  return characters(blocks) > limits.message.blockCharacters
    ? { error: 'msg_blocks_too_long', messages: [] }
    : undefined;
}

/** Counts all strings, visible or not: what Slack counts isn't documented. */
function characters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const [name, part] of Object.entries(value)) if (name !== 'type') sum += characters(part);
  return sum;
}

function checkContent({ text, blocks }: Readonly<Record<string, unknown>>): Problem | undefined {
  const hasText = typeof text === 'string' && text.trim() !== '';
  const hasBlocks = blocks !== undefined && !isEmpty(blocks);
  return hasText || hasBlocks ? undefined : { error: 'no_text', messages: [] };
}

/** An empty list removes the previous blocks of a message. */
function isEmpty(blocks: unknown): boolean {
  return Array.isArray(blocks) && blocks.length === 0;
}
