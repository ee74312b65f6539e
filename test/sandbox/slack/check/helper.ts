import { expect, test } from 'vitest';
import { checkMessage, checkView, type Problem } from '../../../../src/sandbox/slack/check/index.ts';

export const plain = (text = 'words') => ({ type: 'plain_text', text });
export const mrkdwn = (text = 'words') => ({ type: 'mrkdwn', text });
export const letters = (length: number) => 'x'.repeat(length);
export const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, i) => make(i));

export const option = (index = 0) => ({ text: plain(`option ${index}`), value: `value-${index}` });
export const options = (count: number) => times(count, option);
export const button = (more: object = {}) => ({ type: 'button', text: plain(), ...more });
export const section = (more: object = {}) => ({ type: 'section', text: mrkdwn(), ...more });
export const actions = (...elements: unknown[]) => ({ type: 'actions', elements });
export const input = (element: unknown, more: object = {}) => ({ type: 'input', label: plain(), element, ...more });
export const divider = (more: object = {}) => ({ type: 'divider', ...more });
export const richSection = (...leaves: unknown[]) => richText({ type: 'rich_text_section', elements: leaves });
export const richText = (...elements: unknown[]) => ({ type: 'rich_text', elements });

export const modal = (blocks: unknown, more: object = {}) => ({
  type: 'modal',
  title: plain(),
  submit: plain(),
  blocks,
  ...more,
});

export const checkInMessage = (...blocks: unknown[]) => checkMessage({ text: 'words', blocks });
export const checkInModal = (...blocks: unknown[]) => checkView(modal(blocks));
export const checkInHome = (...blocks: unknown[]) => checkView({ type: 'home', blocks });

/** A refusal in the format of Slack's messages. */
export const refusal = (message: string, pointer: string) => `[ERROR] ${message} [json-pointer:${pointer}]`;

/** Expects exactly this one refusal. */
export function expectRefusal(problem: Problem | undefined, message: string, pointer: string): void {
  expect(problem?.messages).toEqual([refusal(message, pointer)]);
}

type CheckOf = (size: number) => Problem | undefined;

/** Tests a field at its limit and one above it. `check` gets the size to build. */
export function testCharacters(what: string, limit: number, pointer: string, check: CheckOf): void {
  testLimit(what, limit, ' characters', check, refusal(`must be less than ${limit + 1} characters`, pointer));
}

export function testItems(what: string, limit: number, pointer: string, check: CheckOf): void {
  testLimit(what, limit, ' items', check, refusal(`no more than ${limit} items allowed`, pointer));
}

export function testNumber(what: string, limit: number, pointer: string, check: CheckOf): void {
  testLimit(what, limit, '', check, refusal(`must be less than ${limit + 1}`, pointer));
}

function testLimit(what: string, limit: number, unit: string, check: CheckOf, expectedError: string): void {
  test(`the limit for ${what} is ${limit}${unit}`, () => {
    expect(check(limit)).toBeUndefined();
    expect(check(limit + 1)?.messages).toEqual([expectedError]);
  });
}
