import type { Problem } from '../check/index.ts';
import type { Json } from '../state/model.ts';

/** `{"ok": false, "error": …}`, with extra fields. */
export class SlackRefusal extends Error {
  readonly code: string;
  readonly extra: Json;

  constructor(code: string, extra: Json = {}) {
    super(code);
    this.code = code;
    this.extra = extra;
  }
}

export function invalidArguments(...messages: string[]): SlackRefusal {
  return new SlackRefusal('invalid_arguments', {
    response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) },
  });
}

export function missingScope(needed: string, provided: readonly string[]): SlackRefusal {
  return new SlackRefusal('missing_scope', { needed, provided: provided.join(',') });
}

export function refuseProblem(problem: Problem | undefined): void {
  if (!problem) return;
  const { error, messages } = problem;
  throw new SlackRefusal(error, messages.length === 0 ? {} : { response_metadata: { messages } });
}
