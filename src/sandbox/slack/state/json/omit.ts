import type { Json } from '../model.ts';

/** A copy without these keys, for payloads in which Slack omits them. */
export function omit(value: Json, ...keys: string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}
