import type { z } from 'zod';
import { stored } from '../stored-formats.ts';
import { limits } from './limits.ts';

/**
 * What a view or a button carries from where it was made to where it is used: written and read by a pair made from one
 * schema. It is visible to those who see the view and may be old or forged: whatever it names is looked up again.
 */
export interface Carrier<T> {
  write(value: T): string;
  /** Undefined where it is not one of ours, or not any more. */
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
