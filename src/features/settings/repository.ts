import { z } from 'zod';
import { defineCollection } from '../../store/index.ts';
import type { Services } from '../common/services.ts';
import { approvalPolicy } from './approval/fields.ts';
import { digestSchema } from './digest/fields.ts';
import { policiesSchema } from './policies/fields.ts';

/** Who has a permission: everyone who can use Dropline, only admins, or admins and these people. */
const allowedPeople = z.union([z.literal('everyone'), z.literal('admins'), z.array(z.string())]);
export type AllowedPeople = z.infer<typeof allowedPeople>;

export const permissions = ['send', 'request', 'download', 'contacts'] as const;
export type Permission = (typeof permissions)[number];

/** The API doesn't document the unit of the time to live, so an admin sets it once. `own`: the unit is unknown. */
export const ttlUnits = ['days', 'hours', 'minutes', 'own'] as const;
export type TtlUnit = (typeof ttlUnits)[number];

const domain = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, {
  error: ({ input }) => `“${input}” isn't a valid domain, like example.com.`,
});

/** Forms accept only numbers above 0, and whole ones if the unit is known. Older stored values must stay readable. */
const time = z.number('Enter a number.').min(0, 'Enter a whole number of 1 or more.');

/** A new field needs a default, so that settings stored by an older version stay readable. */
export const settingsSchema = z.object({
  inboxChannel: z.string().optional(),
  /** Channels by a sender's address or domain; the first match is used. */
  routes: z.array(z.object({ from: z.string(), channel: z.string() })).default([]),
  /** The channels with digests. All others get a post for each item. */
  digests: z.array(digestSchema).default([]),
  /** Admins in addition to those of the workspace. */
  admins: z.array(z.string()).default([]),
  may: z
    .object({
      send: allowedPeople.default('everyone'),
      request: allowedPeople.default('everyone'),
      download: allowedPeople.default('everyone'),
      contacts: allowedPeople.default('everyone'),
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
  /** Domains that files can be sent to; empty for any. */
  receiverDomains: z.array(domain).default([]),
  watchedChannels: z.array(z.string()).default([]),
  delivery: z.enum(['private', 'thread', 'link']).default('private'),
  /** Channels whose posts of new files have Take and Done; see inbox/work. */
  workChannels: z.array(z.string()).default([]),
  /** How many days before files expire people are reminded, if no one has downloaded them; 0 for no reminder. */
  reminderDays: z.int().min(0).max(2).default(1),
  /** Off until an admin turns it on. The form explains which contacts get access, as far as the API documents that. */
  requests: z.boolean().default(false),
  /** Some services reject a list with existing contacts. On these, contacts can only be added. */
  contactsOnlyAdd: z.boolean().default(false),
  policies: policiesSchema.extend({ approval: approvalPolicy.prefault({}) }).prefault({}),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = settingsSchema.parse({});

const storedSettings = defineCollection('settings', settingsSchema);

export async function readSettings({ store }: Pick<Services, 'store'>, workspace: string): Promise<Settings> {
  return (await store.collection(storedSettings).get(workspace)) ?? defaultSettings;
}

/** Changes settings one at a time, so that a concurrent change based on an older copy can't undo a restriction. */
export function updateSettings(
  { store }: Pick<Services, 'store'>,
  workspace: string,
  change: (settings: Settings) => Settings,
): Promise<Settings> {
  return store.collection(storedSettings).update(workspace, (settings = defaultSettings) => change(settings));
}
