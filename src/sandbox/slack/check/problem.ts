import type { Whole } from './place.ts';

/** Why Slack would refuse: what it answers as `error`, and as `response_metadata.messages`. */
export interface Problem {
  error: string;
  messages: string[];
}

/** The refusals gathered so far, if there are any, under the code that they have together. */
export function problemIn(whole: Whole, error: string): Problem | undefined {
  return whole.refusals.length === 0 ? undefined : { error, messages: whole.refusals };
}
