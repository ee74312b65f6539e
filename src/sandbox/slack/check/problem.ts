import type { z } from 'zod';

/** Why Slack would refuse: its `error` and its `response_metadata.messages`. */
export interface Problem {
  error: string;
  messages: string[];
}

/** Limits the size of the error response. */
const maxMessages = 50;

/** Checks the value at the JSON pointer `at`. Returns all problems under one error code, or undefined if there are none. */
export function problemIn(schema: z.ZodType, value: unknown, error: string, at: string): Problem | undefined {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return undefined;
  const messages = result.error.issues.flatMap(refusalsOf).map(({ text, path }) => {
    const pointer = [at, ...path.map(String)].join('/');
    return `[ERROR] ${text} [json-pointer:${pointer}]`;
  });
  return { error, messages: messages.slice(0, maxMessages) };
}

interface Refusal {
  text: string;
  path: PropertyKey[];
}

function refusalsOf(issue: z.core.$ZodIssue): Refusal[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ text: `invalid additional property: ${shortened(key)}`, path }));
  }
  if (issue.code === 'invalid_union') return [typeRefusal(issue)];
  const isMissing = issue.input === undefined && path.length > 0 && issue.code !== 'custom';
  if (isMissing) return [{ text: `missing required field: ${String(path.at(-1))}`, path: path.slice(0, -1) }];
  return [{ text: textOf(issue), path }];
}

/** For an object whose `type` isn't one of those allowed. The path of the issue ends in `type`. */
function typeRefusal({ input, path }: z.core.$ZodIssue): Refusal {
  const outer = path.slice(0, -1);
  if (Array.isArray(input)) return { text: 'must provide an object', path: outer };
  const { type } = Object(input);
  if (type === undefined) return { text: 'missing required field: type', path: outer };
  return { text: typeof type === 'string' ? `unsupported type: ${shortened(type)}` : 'must provide a string', path };
}

const typeNames: Record<string, string> = {
  array: 'an array',
  boolean: 'a boolean',
  object: 'an object',
  string: 'a string',
};

function textOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must provide ${typeNames[issue.expected] ?? 'an integer'}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.join(', ')}`;
    case 'too_big':
      return issue.origin === 'array'
        ? `no more than ${issue.maximum} items allowed`
        : `must be less than ${Number(issue.maximum) + 1}`;
    case 'too_small':
      return issue.origin === 'array'
        ? `no fewer than ${issue.minimum} items allowed`
        : `must be greater than ${Number(issue.minimum) - 1}`;
    default:
      return issue.message;
  }
}

/** Shortens a text to 100 UTF-16 units and an ellipsis. Lone surrogates, for example at the cut, become U+FFFD. */
export function shortened(text: string): string {
  return (text.length > 100 ? `${text.slice(0, 100)}…` : text).toWellFormed();
}
