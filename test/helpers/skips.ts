import { describe, test } from 'vitest';
import { withReason } from './skip-reason.ts';

/** Runs the suite if the condition holds; otherwise skips it and says why. */
export function describeIf(isMet: boolean, reason: string, title: string, body: () => void): void {
  if (isMet) describe(title, body);
  else describe.skip(withReason(title, reason), body);
}

/** Runs the test if the condition holds; otherwise skips it and says why. */
export function testIf(isMet: boolean, reason: string, title: string, body: () => void | Promise<void>): void {
  if (isMet) test(title, body);
  else test.skip(withReason(title, reason), body);
}
