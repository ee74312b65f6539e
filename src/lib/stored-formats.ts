import { z } from 'zod';

/**
 * The schemas of all JSON that outlives a process, by name: of collections, encrypted columns, and the metadata of
 * views and buttons. Their fields are listed in test/upgrade/protocol.txt.
 */
export const storedFormats = z.registry<{ id: string }>();

export function stored<T extends z.ZodType>(name: string, schema: T): T {
  storedFormats.add(schema, { id: name });
  return schema;
}
