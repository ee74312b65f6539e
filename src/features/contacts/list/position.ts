import { z } from 'zod';
import { codec } from '../../../slack/metadata.ts';

export const maxQueryChars = 100;

/** A person's position in the contacts. Each view passes it to the next one, and back. */
const position = z.object({
  /** Whether the bottom view is the list of contacts. Any other view must not be replaced by a refreshed list. */
  fromList: z.boolean().optional(),
  query: z.string().max(maxQueryChars).default(''),
  /** From 0. */
  page: z.number().int().min(0).default(0),
  /** The page in the list of groups, if that is open. */
  groups: z.number().int().min(0).optional(),
  /** The id of the open group. `members` is the page in the list of its members. */
  group: z.string().max(75).optional(),
  members: z.number().int().min(0).optional(),
  /** The version of the contact that is being edited, as the person saw it. */
  contact: z.string().max(75).optional(),
  /** The id of the contact whose card is open. */
  card: z.string().max(75).optional(),
  /** Whether only the contact's groups are being edited. */
  onlyGroups: z.boolean().optional(),
  /** An import that was previewed and isn't confirmed yet. */
  import: z.string().max(75).optional(),
  /** The view below, to return to: the form from which the contact is added, or the contact's card. */
  form: z
    .object({
      /** The form route that handles closing the outcome, and returns to that view. */
      route: z.string().max(75),
      /** Block ids of the form's fields, to keep what was typed. */
      fields: z.record(z.string(), z.string()),
      /** The form's own metadata. */
      metadata: z.string().optional(),
      /** Ids of a message's files that the form offers. */
      files: z.array(z.string()),
      /** The address of the contact that was added. */
      added: z.string().optional(),
    })
    .optional(),
});
export type ListPosition = z.infer<typeof position>;

const positions = codec('contacts forms', position);
export const writePosition = positions.write;

/** Reads the position. The default is the start of the list. */
export function readPosition(text: string | undefined): ListPosition {
  return positions.read(text) ?? { query: '', page: 0 };
}
