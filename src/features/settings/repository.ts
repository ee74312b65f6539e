import type pg from 'pg';
import { z } from 'zod';
import { bounds } from '../../lib/bounds.ts';
import {
  accountKey,
  type Desk,
  defineCollection,
  inTransaction,
  SeveralAccountsError,
  type Store,
} from '../../store/index.ts';
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

const storedFor = (owner: Owner): z.ZodType<Partial<Settings>> =>
  z.object(
    Object.fromEntries(
      Object.entries(settingsSchema.shape).filter(([name]) => name === 'changed' || ownerOf(name) === owner),
    ),
  );

type Owner = 'workspace' | 'account';
const ownerOf = (name: string): Owner => settingsTable[name as SettingName]?.owner ?? 'account';

/** What is stored with the workspace, or with an account: its settings, and who changed them last. */
const partOf = (owner: Owner, { changed, ...settings }: Settings): Partial<Settings> => ({
  ...settings,
  changed: Object.fromEntries(Object.entries(changed).filter(([name]) => ownerOf(name) === owner)),
});

/** The settings after a change, with only those of one owner changed. */
export const changesOf = (owner: Owner, before: Settings, after: Settings): Settings => ({
  ...before,
  ...Object.fromEntries(Object.entries(after).filter(([name]) => ownerOf(name) === owner)),
});

const joined = (inWorkspace: Partial<Settings> = {}, inAccount: Partial<Settings> = {}): Settings => ({
  ...defaultSettings,
  ...inWorkspace,
  ...inAccount,
  changed: { ...inAccount.changed, ...inWorkspace.changed },
});

const workspaceSettings = defineCollection('workspace-settings', storedFor('workspace'));
const accountSettings = defineCollection('account-settings', storedFor('account'));

/** The settings of a workspace and its account. Before it is connected, those of the account are the defaults. */
export async function readSettings({ store }: Pick<Services, 'store'>, desk: Desk): Promise<Settings> {
  const inAccounts = store.collection(accountSettings);
  const { workspace, account } = desk;
  const readOnly = async () => {
    const [only, ...others] = (await inAccounts.list(workspace)).values();
    if (others.length > 0) throw new SeveralAccountsError(`workspace ${workspace} has several accounts`);
    return only;
  };
  const [inWorkspace, inAccount] = await Promise.all([
    store.collection(workspaceSettings).get(workspace),
    account === undefined ? readOnly() : inAccounts.get(workspace, accountKey(account)),
  ]);
  return joined(inWorkspace, inAccount);
}

/** The settings of each account of a workspace, by its key. */
export async function readDeskSettings(
  { store }: Pick<Services, 'store'>,
  workspace: string,
): Promise<Map<string, Settings>> {
  const inAccounts = await store.collection(accountSettings).list(workspace);
  return new Map([...inAccounts].map(([key, inAccount]) => [key, joined(undefined, inAccount)]));
}

/** The settings that are the same for all accounts of a workspace. */
export async function readWorkspaceSettings(
  { store }: Pick<Services, 'store'>,
  workspace: string,
): Promise<WorkspaceSettings> {
  return joined(await store.collection(workspaceSettings).get(workspace));
}

type WorkspaceSettings = Pick<Settings, 'admins' | 'auditors' | 'auditDays' | 'changed'>;

/** Changes settings one at a time, so that a concurrent change based on an older copy can't undo a restriction. */
export async function updateSettings(
  { store }: Pick<Services, 'store'>,
  desk: Desk,
  change: (settings: Settings) => Settings,
  alongside?: Alongside,
): Promise<Settings> {
  const account = await store.credentials.accountOf(desk);
  if (account === undefined) throw notConnected();
  return inTransaction(store.pool, (client) =>
    updateSettingsWithin(client, { store }, { workspace: desk.workspace, account }, change, alongside),
  );
}

/** What is committed together with a change. */
type Alongside = (client: pg.ClientBase, before: Settings, after: Settings, desk: Required<Desk>) => Promise<void>;

/** Like `updateSettings`. An account that replaces another one takes over its settings. */
export async function updateSettingsWithin(
  client: pg.ClientBase,
  { store }: Pick<Services, 'store'>,
  { workspace, account, replaced = account }: Required<Desk> & { replaced?: string },
  change: (settings: Settings) => Settings,
  alongside?: Alongside,
): Promise<Settings> {
  const inWorkspace = store.collection(workspaceSettings);
  const inAccount = store.collection(accountSettings);
  // Locks the workspace's row until the end of the transaction.
  const stored = await inWorkspace.update(workspace, (value: Partial<Settings> = {}) => value, { within: client });
  const [name, nameBefore] = [accountKey(account), accountKey(replaced)];
  const accountBefore = (await inAccount.list(workspace, client)).get(nameBefore);
  const before = joined(stored, accountBefore);
  const settings = change(before);
  if (nameBefore !== name) await inAccount.take(workspace, nameBefore, client);
  await inWorkspace.set(workspace, partOf('workspace', settings), { within: client });
  await inAccount.set(workspace, partOf('account', settings), { name, within: client });
  await alongside?.(client, before, settings, { workspace, account });
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

const adminNotice = z.object({
  by: z.string(),
  account: z.string().optional(),
  changes: z.array(noticePhrase),
  recipients: z.array(z.string()),
});

/** Notices on their way to admins, by workspace and id. A disconnect keeps them. */
export const adminNotices = defineCollection('admin-notice', adminNotice);

/** The people who have installed the app or connected the workspace, also if others have done so since. */
export async function peopleWhoSetUp({ credentials, installations }: Store, workspace: string): Promise<string[]> {
  const connected = [...(await credentials.list(workspace)).values()];
  const { user, installedBefore = [] } = (await installations.get(workspace)) ?? {};
  const before = connected.flatMap(({ connectedBefore = [] }) => connectedBefore);
  const people = [...connected.map(({ connectedBy }) => connectedBy), user?.id, ...before, ...installedBefore];
  return people.filter((person) => person !== undefined);
}
