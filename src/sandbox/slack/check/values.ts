import { limits } from './limits.ts';
import { type Check, type Path, refuse } from './path.ts';

/** A string of `min` to `max` characters. */
export function text(max: number, min = 1): Check {
  return (value, path) => {
    if (typeof value !== 'string') return refuse(path, 'must provide a string');
    checkLength(value, min, max, path);
    // A lone surrogate can't be encoded in UTF-8, so it would arrive changed.
    if (!value.isWellFormed()) refuse(path, 'must be valid Unicode');
  };
}

export function checkLength(value: string, min: number, max: number, path: Path): void {
  if (value.length < min) refuse(path, `must be more than ${min - 1} characters`);
  if (value.length > max) refuse(path, `must be less than ${max + 1} characters`);
}

export const id = text(limits.id);

/** Text without its own limit; its container has one. */
export const unlimitedText = text(Number.POSITIVE_INFINITY);

export const flag: Check = (value, path) => {
  if (typeof value !== 'boolean') refuse(path, 'must provide a boolean');
};

export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Check {
  return (value, path) => {
    if (!Number.isSafeInteger(value)) return refuse(path, 'must provide an integer');
    if (Number(value) < min) refuse(path, `must be greater than ${min - 1}`);
    if (Number(value) > max) refuse(path, `must be less than ${max + 1}`);
  };
}

export function oneOf(...allowed: (string | number)[]): Check {
  return (value, path) => {
    if (!allowed.some((item) => item === value)) refuse(path, `must be one of: ${allowed.join(', ')}`);
  };
}

/** A string that matches `pattern`; `description` says in words what it must be. */
export function matching(pattern: RegExp, description: string): Check {
  return (value, path) => {
    if (typeof value !== 'string') return refuse(path, 'must provide a string');
    if (!pattern.test(value) || !value.isWellFormed()) refuse(path, `must be ${description}`);
  };
}

/** A day, as `YYYY-MM-DD`. */
export const date = matching(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'a date as YYYY-MM-DD');

export const userId = matching(/^[UW][A-Z0-9]{1,30}$/, 'the id of a user');
export const conversationId = matching(/^[CDG][A-Z0-9]{1,30}$/, 'the id of a conversation');
export const channelId = matching(/^[CG][A-Z0-9]{1,30}$/, 'the id of a channel');
