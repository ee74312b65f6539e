import { z } from 'zod';
import { carrier } from '../../slack/metadata.ts';

export const mostSearched = 100;

/** Where among the contacts somebody is: what each of the views passes on to the next, and back. */
const position = z.object({
  /** Whether it was reached from the list, and goes back to it: another form below is not to be replaced by one. */
  fromList: z.boolean().optional(),
  query: z.string().max(mostSearched).default(''),
  /** From 0. */
  page: z.number().int().min(0).default(0),
  /** The page of the groups, where those are open. */
  groups: z.number().int().min(0).optional(),
  /** The group that is open, by its id, and the page of its members. */
  group: z.string().max(75).optional(),
  members: z.number().int().min(0).optional(),
  /** The contact that is being edited, as it was seen. */
  contact: z.string().max(75).optional(),
  /** Whether only its groups are. */
  onlyGroups: z.boolean().optional(),
  /** An import that was looked at and not confirmed yet. */
  import: z.string().max(75).optional(),
});
export type ListPosition = z.infer<typeof position>;

const positions = carrier('contacts forms', position);
export const writePosition = positions.write;

/** The beginning of the list where somebody comes from nowhere. */
export function readPosition(text: string | undefined): ListPosition {
  return positions.read(text) ?? { query: '', page: 0 };
}
