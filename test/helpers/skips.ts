import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
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

/** Slack's samples and the JSON Schemas are in a folder next to the project, not part of it. */
export const sharedPath = (path: string) => resolve(import.meta.dirname, '../../../shared', path);
export const hasShared = (path: string) => existsSync(sharedPath(path));
export const noShared = '../shared not found';
