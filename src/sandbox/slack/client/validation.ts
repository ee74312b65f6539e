import { type Element, elementsOf } from '../blocks.ts';
import type { Block, Values } from '../model.ts';
import { heldBy, isEmpty } from './values.ts';

/** The errors that Slack's client shows below the fields of a form it refuses to submit, by block. */
export function problemsOf(blocks: readonly Block[], values: Values): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const block of blocks) {
    const [element] = block.type === 'input' ? elementsOf(block) : [];
    if (!element) continue;
    const value = heldBy(values, block.block_id, element);
    const problem = isEmpty(value) ? missing(block) : wrong(element, value);
    if (problem !== undefined) problems[block.block_id] = problem;
  }
  return problems;
}

function missing(block: Block): string | undefined {
  return block.optional === true ? undefined : 'Please complete this required field.';
}

function wrong(element: Element, value: unknown): string | undefined {
  switch (element.type) {
    case 'plain_text_input':
      return wrongLength(element, String(value));
    case 'email_text_input':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(value)) ? undefined : 'Please enter a valid email address.';
    case 'url_text_input':
      return URL.canParse(String(value)) ? undefined : 'Please enter a valid URL.';
    case 'number_input':
      return wrongNumber(element, String(value));
    default:
      return undefined;
  }
}

function wrongLength({ min_length: least, max_length: most }: Element, value: string): string | undefined {
  if (typeof least === 'number' && value.length < least) return `Please enter at least ${least} characters.`;
  const limit = typeof most === 'number' ? most : 3000;
  return value.length > limit ? `Please enter at most ${limit} characters.` : undefined;
}

function wrongNumber({ is_decimal_allowed: decimal, min_value: least, max_value: most }: Element, value: string) {
  const pattern = decimal === true ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/;
  if (!pattern.test(value)) return 'Please enter a valid number.';
  if (least !== undefined && Number(value) < Number(least)) return `Please enter a number of at least ${least}.`;
  if (most !== undefined && Number(value) > Number(most)) return `Please enter a number of at most ${most}.`;
  return undefined;
}
