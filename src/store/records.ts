import { z } from 'zod';

/** What is kept in the drawers. A field that a later version adds must be optional or have a default: old rows stay. */

export const credentials = z.object({
  baseUrl: z.string(),
  username: z.string(),
  apiKey: z.string(),
  connectedBy: z.string(),
  connectedAt: z.number(),
  /** Set when a disconnect was asked for: no new work, while what is left behind is cleaned up. */
  leavingSince: z.number().optional(),
  leavingHow: z.enum(['disconnect', 'uninstall']).optional(),
});
export type Credentials = z.infer<typeof credentials>;

/** What Slack's OAuth returned, kept whole: the library that reads it decides what it needs. */
export const installation = z.looseObject({
  team: z.looseObject({ id: z.string() }).optional(),
  bot: z.looseObject({ token: z.string() }).optional(),
});
export type Installation = z.infer<typeof installation>;
