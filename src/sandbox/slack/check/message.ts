import { z } from 'zod';
import { messageBlocks } from './blocks.ts';
import { limits } from './limits.ts';
import { type Problem, problemIn } from './problem.ts';
import { text } from './values.ts';

const unsupported = (name: string) =>
  z.custom((value) => value === undefined, `${name} is not supported by this sandbox`).optional();

/** What Slack also accepts in a message and the bot doesn't use is refused. */
const content = z.object({
  text: text(limits.message.text, 0).optional(),
  attachments: unsupported('attachments'),
  markdown_text: unsupported('markdown_text'),
  metadata: unsupported('metadata'),
});

export function checkMessage(message: Readonly<Record<string, unknown>>): Problem | undefined {
  const { text: words = '', blocks = [] } = message;
  if (typeof words === 'string' && words.length > limits.message.text) return { error: 'msg_too_long', messages: [] };
  if (!Array.isArray(blocks)) return { error: 'invalid_blocks_format', messages: [] };
  const problem = problemIn(content, message, 'invalid_arguments', '');
  if (problem) return problem;
  // An empty list removes the previous blocks of a message.
  if (blocks.length === 0) return String(words).trim() === '' ? { error: 'no_text', messages: [] } : undefined;
  return problemIn(messageBlocks, blocks, 'invalid_blocks', '/blocks') ?? checkTotal(blocks);
}

/** Runs last, so that recursion is safe: valid blocks aren't nested deeply. */
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
