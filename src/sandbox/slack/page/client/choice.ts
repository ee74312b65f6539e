import type { Choice, Json } from './state.ts';

export function keyOf({ value }: Pick<Choice, 'value'>): string {
  return typeof value === 'object' && value !== null ? String((value as Json).value) : String(value);
}

export function sameAs(one: Pick<Choice, 'value'>, other: Pick<Choice, 'value'>): boolean {
  return keyOf(one) === keyOf(other);
}
