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
  switch (element.type) {
    case 'plain_text_input':
      return lengthError(element, String(value));
    case 'email_text_input':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(value)) ? undefined : 'Please enter a valid email address.';
    case 'url_text_input':
      return URL.canParse(String(value)) ? undefined : 'Please enter a valid URL.';
    case 'number_input':
      return numberError(element, String(value));
    default:
      return undefined;
  }
}

function lengthError({ min_length: min, max_length: max }: Element, value: string): string | undefined {
  if (typeof min === 'number' && value.length < min) return `Please enter at least ${min} characters.`;
  const limit = typeof max === 'number' ? max : 3000;
  return value.length > limit ? `Please enter at most ${limit} characters.` : undefined;
}

function numberError({ is_decimal_allowed: decimal, min_value: min, max_value: max }: Element, value: string) {
  const pattern = decimal === true ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/;
  if (!pattern.test(value)) return 'Please enter a valid number.';
  if (min !== undefined && Number(value) < Number(min)) return `Please enter a number of at least ${min}.`;
  if (max !== undefined && Number(value) > Number(max)) return `Please enter a number of at most ${max}.`;
  return undefined;
}
