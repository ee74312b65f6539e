import { z } from 'zod';
import { carrier } from '../../../slack/metadata.ts';

export const mostSearched = 100;

/** A person's position in the contacts. Each view passes it to the next one, and back. */
const position = z.object({
  /** Whether the person came from the list and returns to it. Any other view below must not be replaced by the list. */
  fromList: z.boolean().optional(),
  query: z.string().max(mostSearched).default(''),
  /** From 0. */
  page: z.number().int().min(0).default(0),
  /** The page in the list of groups, if that is open. */
  groups: z.number().int().min(0).optional(),
  /** The id of the open group; `members` is the page in its members. */
  group: z.string().max(75).optional(),
  members: z.number().int().min(0).optional(),
  /** The version of the contact that is being edited, as the person saw it. */
  contact: z.string().max(75).optional(),
  /** Whether only the contact's groups are being edited. */
  onlyGroups: z.boolean().optional(),
  /** An import that was previewed and isn't confirmed yet. */
  import: z.string().max(75).optional(),
});
export type ListPosition = z.infer<typeof position>;

const positions = carrier('contacts forms', position);
export const writePosition = positions.write;

/** The start of the list if there is no position. */
export function readPosition(text: string | undefined): ListPosition {
  return positions.read(text) ?? { query: '', page: 0 };
}
