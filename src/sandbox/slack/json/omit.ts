import type { Json } from '../model.ts';

/** A copy without these keys: what Slack says elsewhere, and not here. */
export function omit(value: Json, ...keys: string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}
