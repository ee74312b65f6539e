import type pg from 'pg';
import { z } from 'zod';
import { bounds } from '../../lib/bounds.ts';
import { accountKey, defineCollection, inTransaction, type Store } from '../../store/index.ts';
import { notConnected } from '../common/errors.ts';
import type { Services } from '../common/services.ts';
import { inboxChannelSchema } from './inbox-channels.ts';
import { type SettingName, settingNames, settingsTable } from './table/definitions.ts';

/** The setting that says who has each permission. */
export const permissionSettings = {
  send: 'senders',
  request: 'requesters',
  download: 'downloaders',
  contacts: 'contactEditors',
} as const;
export type Permission = keyof typeof permissionSettings;
export const permissions = Object.keys(permissionSettings) as Permission[];

/** The settings that name people and private channels. */
export const peopleSettings = [
  'admins',
  ...Object.values(permissionSettings),
  'auditors',
  'approvalSenders',
  'approvers',
] as const;
export type PeopleSetting = (typeof peopleSettings)[number];

/** The people and channels that a setting names. */
export const namedIn = (settings: Partial<Settings>, name: PeopleSetting): readonly string[] =>
  Array.isArray(settings[name]) ? settings[name] : [];

type Schemas = { [Name in SettingName]: (typeof settingsTable)[Name]['schema'] };
const simpleSettings = Object.fromEntries(settingNames.map((name) => [name, settingsTable[name].schema])) as Schemas;

/** Who changed a setting last, and when. */
const lastChange = z.object({ by: z.string(), at: z.number() });

export const settingsSchema = z.object({
  inboxChannels: z
    .array(inboxChannelSchema)
    .max(bounds.inboxChannels, `Too many inbox channels (limit ${bounds.inboxChannels}).`)
    .default([]),
  ...simpleSettings,
  /** By name. */
  changed: z.record(z.string(), lastChange).default({}),
});
export type Settings = z.infer<typeof settingsSchema>;
export type ExpiryUnit = Settings['expiryUnit'];
export type Expiry = Pick<Settings, 'expiryUnit' | 'expiryDefault' | 'expiryLongest'>;
export type FileRules = Pick<Settings, 'fileTypes' | 'extensions' | 'maxFileMb' | 'maxTotalMb' | 'unscanned'>;

export const defaultSettings: Settings = settingsSchema.parse({});

const storedFor = (owner: 'workspace' | 'account'): z.ZodType<Partial<Settings>> =>
  z.object(
    Object.fromEntries(
      Object.entries(settingsSchema.shape).filter(
        ([name]) => (settingsTable[name as SettingName]?.owner ?? 'account') === owner,
      ),
    ),
  );

const workspaceSettings = defineCollection('workspace-settings', storedFor('workspace'));
const accountSettings = defineCollection('account-settings', storedFor('account'));

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
  const stored = await inWorkspace.update(workspace, (value: Partial<Settings> = {}) => value, { within: client });
  const [[nameBefore, accountBefore] = []] = await inAccount.list(workspace, client);
  const before: Settings = { ...defaultSettings, ...stored, ...accountBefore };
  const settings = change(before);
  const name = accountKey(account);
  if (nameBefore !== undefined && nameBefore !== name) await inAccount.take(workspace, nameBefore, client);
  await inWorkspace.set(workspace, settings, { within: client });
  await inAccount.set(workspace, settings, { name, within: client });
  await alongside?.(client, before, settings);
  return settings;
}

/** What an admin entered in a form that would turn something off, until that is confirmed. One for each person. */
export const settingsDrafts = defineCollection(
  'settings-draft',
  z.object({
    id: z.string(),
    entered: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    seen: z.record(z.string(), z.string()),
  }),
);
export const settingsDraftMs = 3_600_000;
export type EnteredValues = Record<string, string | readonly string[]>;

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
