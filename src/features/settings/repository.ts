import type pg from 'pg';
import { z } from 'zod';
import { bounds } from '../../lib/bounds.ts';
import { accountKey, defineCollection, inTransaction, type Store } from '../../store/index.ts';
import { notConnected } from '../common/errors.ts';
import type { Services } from '../common/services.ts';
import { approvalPolicy } from './approval/fields.ts';
import { deliveries, inboxChannelSchema } from './inbox-channels.ts';

/** Who has a permission: everyone who can use Dropline, only admins, or admins and these people. */
const allowedPeople = z.union([z.literal('everyone'), z.literal('admins'), z.array(z.string())]);
export type AllowedPeople = z.infer<typeof allowedPeople>;

/** The setting that says who has each permission. */
export const permissionSettings = {
  send: 'senders',
  request: 'requesters',
  download: 'downloaders',
  contacts: 'contactEditors',
} as const;
export type Permission = keyof typeof permissionSettings;
export const permissions = Object.keys(permissionSettings) as Permission[];

/** The API doesn't document the unit of the expiry, so an admin sets it once. `own`: the unit is unknown. */
export const expiryUnits = ['days', 'hours', 'minutes', 'own'] as const;
export type ExpiryUnit = (typeof expiryUnits)[number];

const extension = z.string().regex(new RegExp(`^[a-z0-9_+-]{1,${bounds.extensionChars}}$`), {
  error: ({ input }) => `“${String(input).slice(0, 50)}” isn't a valid file extension, like pdf.`,
});

const megabytes = z.number().min(1).max(1_000_000);

const domain = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, {
  error: ({ input }) => `“${input}” isn't a valid domain, like example.com.`,
});

const time = z.int('Enter a whole number of 1 or more.').min(1, 'Enter a whole number of 1 or more.');

export const settingsSchema = z.object({
  inboxChannels: z
    .array(inboxChannelSchema)
    .max(bounds.inboxChannels, `Too many inbox channels (limit ${bounds.inboxChannels}).`)
    .default([]),
  /** Admins in addition to those of the workspace. */
  admins: z.array(z.string()).default([]),
  senders: allowedPeople.default('everyone'),
  requesters: allowedPeople.default('everyone'),
  downloaders: allowedPeople.default('everyone'),
  contactEditors: allowedPeople.default('everyone'),
  expiryUnit: z.enum(expiryUnits).default('own'),
  expiryDefault: time.default(7),
  expiryLongest: time.optional(),
  /** How long a confirmed transfer can be undone. */
  undoSeconds: z.int().min(0).max(300).default(10),
  message: z.string().max(3000).default(''),
  /** Domains that files can be sent to; empty for any. */
  recipientDomains: z.array(domain).default([]),
  watchedChannels: z.array(z.string()).default([]),
  /** How downloads of items without an inbox channel arrive. */
  delivery: z.enum(deliveries).default('private'),
  /** Off until an admin turns it on. The form explains which contacts get access, as far as the API documents that. */
  requests: z.boolean().default(false),
  /** Some services reject a list with existing contacts. On these, contacts can only be added. */
  contactsOnlyAdd: z.boolean().default(false),
  /** Whether all extensions are allowed, only `extensions`, or all except these. */
  fileTypes: z.enum(['any', 'allow', 'block']).default('any'),
  extensions: z
    .array(extension)
    .max(bounds.extensions, `Too many extensions (limit ${bounds.extensions}).`)
    .default([]),
  maxFileMb: megabytes.optional(),
  maxTotalMb: megabytes.optional(),
  /** What happens to a file that couldn't be scanned. Only used if the operator has set up a scanner. */
  unscanned: z.enum(['block', 'note']).default('block'),
  approval: approvalPolicy.prefault({}),
});
export type Settings = z.infer<typeof settingsSchema>;
export type Expiry = Pick<Settings, 'expiryUnit' | 'expiryDefault' | 'expiryLongest'>;
/** What files can be sent. By default all, except files that a scanner couldn't scan. */
export type FileRules = Pick<Settings, 'fileTypes' | 'extensions' | 'maxFileMb' | 'maxTotalMb' | 'unscanned'>;

export const defaultSettings: Settings = settingsSchema.parse({});

/** Only these settings belong to the workspace. All others belong to the connected account. */
const ofWorkspace = { admins: true, unscanned: true } as const;

const workspaceSettings = defineCollection('workspace-settings', settingsSchema.pick(ofWorkspace));
const accountSettings = defineCollection('account-settings', settingsSchema.omit(ofWorkspace));

/** The settings of a workspace and its account. Before it is connected, those of the account are the defaults. */
export async function readSettings({ store }: Pick<Services, 'store'>, workspace: string): Promise<Settings> {
  const [inWorkspace, accounts] = await Promise.all([
    store.collection(workspaceSettings).get(workspace),
    store.collection(accountSettings).list(workspace),
  ]);
  const [inAccount] = accounts.values();
  return { ...defaultSettings, ...inWorkspace, ...inAccount };
}

/** Changes settings one at a time, so that a concurrent change based on an older copy can't undo a restriction. */
export async function updateSettings(
  { store }: Pick<Services, 'store'>,
  workspace: string,
  change: (settings: Settings) => Settings,
  alongside?: Alongside,
): Promise<Settings> {
  const account = await store.credentials.accountOf(workspace);
  if (account === undefined) throw notConnected();
  return inTransaction(store.pool, (client) =>
    updateSettingsWithin(client, { store }, { workspace, account }, change, alongside),
  );
}

/** What is committed together with a change. */
type Alongside = (client: pg.ClientBase, before: Settings, after: Settings) => Promise<void>;

/** Like `updateSettings`. A workspace that connects another account takes its settings along. */
export async function updateSettingsWithin(
  client: pg.ClientBase,
  { store }: Pick<Services, 'store'>,
  { workspace, account }: { workspace: string; account: string },
  change: (settings: Settings) => Settings,
  alongside?: Alongside,
): Promise<Settings> {
  const inWorkspace = store.collection(workspaceSettings);
  const inAccount = store.collection(accountSettings);
  // Locks the workspace's row until the end of the transaction.
  const stored = await inWorkspace.update(workspace, (value = defaultSettings) => value, { within: client });
  const [[nameBefore, accountBefore] = []] = await inAccount.list(workspace, client);
  const before = { ...defaultSettings, ...stored, ...accountBefore };
  const settings = change(before);
  const name = accountKey(account);
  if (nameBefore !== undefined && nameBefore !== name) await inAccount.take(workspace, nameBefore, client);
  await inWorkspace.set(workspace, settings, { within: client });
  await inAccount.set(workspace, settings, { name, within: client });
  await alongside?.(client, before, settings);
  return settings;
}

const noticePhrase = z.array(z.union([z.string(), z.object({ user: z.string() }), z.object({ channel: z.string() })]));

const adminNotice = z.object({ by: z.string(), changes: z.array(noticePhrase), recipients: z.array(z.string()) });

/** Notices on their way to admins, by workspace and id. A disconnect keeps them. */
export const adminNotices = defineCollection('admin-notice', adminNotice);

/** The people who have installed the app or connected the workspace, also if others have done so since. */
export async function peopleWhoSetUp({ credentials, installations }: Store, workspace: string): Promise<string[]> {
  const { connectedBy, connectedBefore = [] } = (await credentials.get(workspace)) ?? {};
  const { user, installedBefore = [] } = (await installations.get(workspace)) ?? {};
  return [connectedBy, user?.id, ...connectedBefore, ...installedBefore].filter((person) => person !== undefined);
}
