import { z } from 'zod';
import { defineCollection } from './collections.ts';

/** Slack's OAuth response, stored whole: the library that reads it decides what it needs. And who installed before. */
const installationSchema = z.looseObject({
  team: z.looseObject({ id: z.string() }).optional(),
  bot: z.looseObject({ token: z.string() }).optional(),
  user: z.looseObject({ id: z.string() }).optional(),
  installedBefore: z.array(z.string()).optional(),
});
export type Installation = z.infer<typeof installationSchema>;
export const installations = defineCollection('installation', installationSchema);
