import type { z } from 'zod';
import { stored } from '../stored-formats.ts';
import { limits } from './limits.ts';

/**
 * Data that a view or a button carries from its creation to its use, written and read with one schema. People who see
 * the view can read it, and it can be old or forged: always look up again what it names.
 */
export interface Carrier<T> {
  write(value: T): string;
  /** Undefined if it doesn't match the current schema. */
  read(text: string | undefined): T | undefined;
}

/** @param name for the list of stored names: a button can be pressed years later */
export function carrier<T>(name: string, schema: z.ZodType<T>, most: number = limits.metadata): Carrier<T> {
  stored(name, schema);
  return {
    write(value) {
      const text = JSON.stringify(schema.parse(value));
      if (text.length > most) throw new RangeError(`this is more than a view or button can carry: ${text.length}`);
      return text;
    },
    read(text) {
      try {
        return schema.parse(JSON.parse(text ?? ''));
      } catch {
        return undefined;
      }
    },
  };
}
