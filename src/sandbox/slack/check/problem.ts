import type { CheckState } from './path.ts';

/** Why Slack would refuse: its `error` and its `response_metadata.messages`. */
export interface Problem {
  error: string;
  messages: string[];
}

/** All refusals so far under one error code, or undefined if there are none. */
export function problemIn(state: CheckState, error: string): Problem | undefined {
  return state.refusals.length === 0 ? undefined : { error, messages: state.refusals };
}
