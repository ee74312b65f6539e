import { z } from 'zod';

/** Who may do something: everybody who may act at all, admins alone, or admins and these people. */
const who = z.union([z.literal('everyone'), z.literal('admins'), z.array(z.string())]);
export type Who = z.infer<typeof who>;

export const permissions = ['send', 'request', 'download', 'contacts'] as const;
export type Permission = (typeof permissions)[number];

/** The API does not say what a time to live counts: an admin does, once. */
export const ttlUnits = ['days', 'hours', 'minutes', 'own'] as const;
export type TtlUnit = (typeof ttlUnits)[number];

const domain = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, {
  error: ({ input }) => `“${input}” is not a domain: one looks like example.com.`,
});

const time = z.number('This must be a number.').min(0, 'This must be a number from 0 up.');

/** A field that a later version adds has a default: what was stored before stays readable. */
export const settingsSchema = z.object({
  inboxChannel: z.string().optional(),
  /** By a sender's address or domain; the first that fits. */
  routes: z.array(z.object({ from: z.string(), channel: z.string() })).default([]),
  /** People who count as admins although the workspace does not say so. */
  admins: z.array(z.string()).default([]),
  may: z
    .object({
      send: who.default('everyone'),
      request: who.default('everyone'),
      download: who.default('everyone'),
      contacts: who.default('everyone'),
    })
    .prefault({}),
  ttl: z
    .object({
      unit: z.enum(ttlUnits).default('own'),
      usual: time.default(7),
      longest: time.optional(),
    })
    .prefault({}),
  message: z.string().max(3000).default(''),
  /** Where files may be sent to; empty for anywhere. */
  receiverDomains: z.array(domain).default([]),
  watchedChannels: z.array(z.string()).default([]),
  delivery: z.enum(['private', 'thread', 'link']).default('private'),
  /** Off until an admin was shown which contacts, by our reading of the API, are given access. */
  requests: z.boolean().default(false),
  /** Some services refuse a list of contacts that names one they have: there, contacts can only be added. */
  contactsOnlyAdd: z.boolean().default(false),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = settingsSchema.parse({});
