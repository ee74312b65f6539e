import { z } from 'zod';
import { defineCollection } from './collections.ts';

/** Schemas of stored values. A field that a later version adds must be optional or have a default, for old rows. */

const credentialsSchema = z.object({
  baseUrl: z.string(),
  username: z.string(),
  apiKey: z.string(),
  connectedBy: z.string(),
  connectedAt: z.number(),
  /** Set on a disconnect or an uninstall. From then on no new work starts, and the workspace's data is cleaned up. */
  leavingSince: z.number().optional(),
  leavingHow: z.enum(['disconnect', 'uninstall']).optional(),
  /** The person who asked for the disconnect, to be notified when it is finished. */
  leavingBy: z.string().optional(),
});
export type Credentials = z.infer<typeof credentialsSchema>;
export const credentials = defineCollection('credentials', credentialsSchema);

/** Slack's OAuth response, stored whole: the library that reads it decides what it needs. */
const installationSchema = z.looseObject({
  team: z.looseObject({ id: z.string() }).optional(),
  bot: z.looseObject({ token: z.string() }).optional(),
});
export type Installation = z.infer<typeof installationSchema>;
export const installations = defineCollection('installation', installationSchema);
