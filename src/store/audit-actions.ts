import { z } from 'zod';
import { stored } from '../lib/stored-formats.ts';

/** Ids of Slack are marked as such: a text is never mistaken for one. */
const user = z.object({ user: z.string() });
const channel = z.object({ channel: z.string() });

/** A list that ends with the number of items that were left out, if it was too long. */
const listOf = <T extends z.ZodType>(item: T) => z.array(z.union([item, z.object({ omitted: z.number() })]));

/** The first items for an entry, and how many more there are. */
export const firstOf = <T>(items: readonly T[], max: number): (T | { omitted: number })[] =>
  items.length <= max ? [...items] : [...items.slice(0, max), { omitted: items.length - max }];

const emails = listOf(z.string());
const result = z.object({ code: z.string(), message: z.string(), names: listOf(z.string()) });
const value = z.union([z.string(), user, channel, z.object({ bytes: z.number() })]);

/** All details of entries. */
const fields = {
  files: listOf(z.object({ name: z.string(), size: z.number().optional(), sha256: z.string().optional() })),
  /** Of an earlier download of the same file, which had other bytes. */
  earlierSha256: z.string(),
  sender: z.string(),
  recipients: emails,
  contacts: emails,
  /** Old and new values of contacts. */
  changes: listOf(z.string()),
  /** The text of a checklist's point. */
  point: z.string(),
  target: z.enum(['sending', 'requests', 'downloads']),
  reason: z.string(),
  /** The approval rules that applied, in words. */
  rules: z.string(),
  result,
  difference: result,
  /** `infected`: the name of the malware. */
  scan: z.object({
    clean: z.number(),
    unscanned: listOf(z.object({ name: z.string(), reason: z.string() })),
    infected: z.string().optional(),
  }),
  /** Settings, with their names in the forms. `in`: the channel that one is for. Empty lists: not set. */
  changed: listOf(z.object({ setting: z.string(), in: channel.optional(), from: listOf(value), to: listOf(value) })),
  /** The channels for new files that were chosen. */
  channels: listOf(channel),
  /** The channel or person that files belonged to, and the channel that they belong to now. */
  movedFrom: z.union([z.string(), user, channel]),
  movedTo: channel,
  baseUrl: z.string(),
  username: z.string(),
  /** The person who had taken the item before. */
  holder: user,
  requester: user,
  hold: z.enum(['committing', 'unknown', 'difference']),
  /** How many transfers, contacts or rows. */
  queued: z.number(),
  added: z.number(),
  updated: z.number(),
  removed: z.number(),
  rows: z.number(),
  items: z.number(),
  olderThan: z.string(),
  /** Transfers and contact edits whose outcome isn't known after a restore. */
  unconfirmed: z.number(),
  restored: emails,
  /** Contacts that the service has changed. */
  altered: emails,
  transfer: z.string(),
  /** The id of a contact edit. */
  edit: z.string(),
  renamedTo: z.string(),
  /** The name of the account's desk, where the workspace has several. */
  desk: z.string(),
  /** When the transfer was confirmed, who approved it, and when. */
  confirmed: z.string(),
  approver: user,
  approvedAt: z.string(),
};

/** What is known depends on how far an action got, so every detail is optional. */
const details = <K extends keyof typeof fields = never>(...names: K[]) =>
  z
    .object({
      ...(Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<typeof fields, K>),
      desk: fields.desk,
    })
    .partial();
const outcome = details(
  'files',
  'recipients',
  'result',
  'difference',
  'scan',
  'transfer',
  'confirmed',
  'approver',
  'approvedAt',
);
const taken = details('files', 'sender', 'holder');
const point = details('point', 'recipients', 'requester', 'transfer');
const contacts = details('contacts', 'changes', 'added', 'updated', 'removed', 'restored', 'altered', 'edit');

/**
 * The actions that the audit records, and the details of each. Their texts are in features/audit/texts.ts: a new action
 * is a line here and a line there.
 */
export const auditActions = {
  connect: details('baseUrl', 'username', 'changed', 'channels'),
  disconnect: details(),
  'rename desk': details('renamedTo'),
  confirm: details('transfer'),
  send: outcome,
  'ask for files': details('transfer'),
  request: outcome,
  cancel: details('files', 'recipients', 'transfer'),
  'ask for approval': details('files', 'recipients', 'rules'),
  approve: details('files', 'recipients', 'transfer'),
  decline: details('files', 'recipients', 'transfer', 'reason'),
  'ask for a download': details('files', 'sender', 'scan'),
  download: details('files', 'earlierSha256', 'sender', 'scan'),
  'open file': details('files', 'transfer'),
  take: taken,
  'take over': taken,
  'mark done': taken,
  reopen: taken,
  'tick off': point,
  untick: point,
  settings: details('changed', 'channels'),
  'move files': details('movedFrom', 'movedTo', 'items'),
  pause: details('target', 'reason'),
  resume: details('target', 'queued'),
  'release hold': details('hold', 'transfer'),
  'resume polling': details(),
  'clear recipients': details(),
  'remove uploaded files': details('files'),
  'remove unexpected files': details('files', 'transfer'),
  'remove infected mark': details('files', 'sender', 'scan'),
  'contacts add': contacts,
  'contacts edit': contacts,
  'contacts remove': contacts,
  'contacts import': contacts,
  'contacts group': contacts,
  'contacts export': details('rows'),
  'audit export': details('rows', 'olderThan'),
  receipt: details('transfer', 'files'),
  restore: details('unconfirmed'),
};

/** Stands for a person in entries about what was done on the server. */
export const operator = 'operator';

export type AuditAction = keyof typeof auditActions;
export type AuditDetails<A extends AuditAction = AuditAction> = z.infer<(typeof auditActions)[A]>;

/** The details of any action. */
export type AuditFields = { [K in keyof typeof fields]?: z.infer<(typeof fields)[K]> | undefined };

stored('audit details', z.object(auditActions));
