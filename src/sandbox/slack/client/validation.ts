import { type Element, elementsOf } from '../state/blocks.ts';
import type { Block, Values } from '../state/model.ts';
import { currentValue, isEmpty } from '../state/values.ts';

/** The errors that Slack's client shows below the fields of a form it refuses to submit, by block. */
export function validationErrors(blocks: readonly Block[], values: Values): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const block of blocks) {
    const [element] = block.type === 'input' ? elementsOf(block) : [];
    if (!element) continue;
    const value = currentValue(values, block.block_id, element);
    const problem = isEmpty(value) ? missingError(block) : formatError(element, value);
    if (problem !== undefined) problems[block.block_id] = problem;
  }
  return problems;
}

function missingError(block: Block): string | undefined {
  return block.optional === true ? undefined : 'Please complete this required field.';
}

function formatError(element: Element, value: unknown): string | undefined {
  return element.type === 'plain_text_input' ? lengthError(element, String(value)) : undefined;
}

function lengthError({ max_length: max = 3000 }: Element, value: string): string | undefined {
  return value.length > Number(max) ? `Please enter at most ${max} characters.` : undefined;
}
