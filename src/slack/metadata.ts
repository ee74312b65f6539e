import type { z } from 'zod';
import { stored } from '../lib/stored-formats.ts';
import { limits } from './limits.ts';

/**
 * Encodes the metadata of a view or the value of a button. People who see the view can read the data, and it can be old
 * or forged, so always look up again what it refers to.
 */
export interface Codec<T> {
  write(value: T): string;
  /** Undefined if the text doesn't match the current schema. */
  read(text: string | undefined): T | undefined;
}

/** @param name for the list of stored formats, because a button can be clicked years later */
export function codec<T>(name: string, schema: z.ZodType<T>, maxLength: number = limits.metadata): Codec<T> {
  stored(name, schema);
  return {
    write(value) {
      const text = JSON.stringify(schema.parse(value));
      if (text.length > maxLength) throw new RangeError(`metadata too long: ${text.length} characters`);
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
