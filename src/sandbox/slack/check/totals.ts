import { limits } from './limits.ts';
import { child, createCheckState, refuse, rootOf } from './path.ts';
import { type Problem, problemIn } from './problem.ts';
import { entries, type Fields, isFields } from './shapes.ts';

/**
 * Limits for the whole message. Call it only with blocks that passed their own checks, so that recursion is safe: those
 * aren't nested deeply.
 */
export function checkTotals(blocks: readonly unknown[]): Problem | undefined {
  const all = blocks.filter(isFields).flatMap(withChildren);
  const ofType = (...types: string[]) => all.filter((block) => types.some((type) => block.type === type));
  const { markdown, tables, tableCharacters, blockCharacters } = limits.message;
  // This is Slack's code, although no attachment is involved.
  if (ofType('table', 'data_table').length > tables) {
    return { error: 'invalid_attachments', messages: ['[ERROR] only_one_table_allowed'] };
  }
  const state = createCheckState('message');
  const path = child(rootOf(state), 'blocks');
  if (characters(ofType('markdown').map(({ text }) => text)) > markdown) {
    refuse(path, `markdown blocks must be less than ${markdown + 1} characters together`);
  }
  if (characters(ofType('table', 'data_table').map(({ rows }) => rows)) > tableCharacters) {
    refuse(path, `tables must be less than ${tableCharacters + 1} characters together`);
  }
  const problem = problemIn(state, 'invalid_blocks');
  if (problem) return problem;
  return characters(blocks) > blockCharacters ? { error: 'msg_blocks_too_long', messages: [] } : undefined;
}

function withChildren(block: Fields): Fields[] {
  return [block, ...entries(block.child_blocks).filter(isFields)];
}

/** Counts all strings, visible or not: what Slack counts isn't documented. */
function characters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const [name, part] of Object.entries(value)) if (name !== 'type') sum += characters(part);
  return sum;
}
