import { z } from 'zod';
import { stored } from '../stored-formats.ts';

/** Ids of Slack are marked as such: a text is never mistaken for one. */
const user = z.object({ user: z.string() });
const channel = z.object({ channel: z.string() });

/** A list that ends with the number of items that were left out, if it was too long. */
const listOf = <T extends z.ZodType>(item: T) => z.array(z.union([item, z.object({ omitted: z.number() })]));

/** The first items for an entry, and how many more there are. */
export const firstOf = <T>(items: readonly T[], max: number): (T | { omitted: number })[] =>
  items.length <= max ? [...items] : [...items.slice(0, max), { omitted: items.length - max }];

const emails = listOf(z.string());
const files = listOf(z.object({ name: z.string(), size: z.number().optional() }));
const content = { files, recipients: emails };
/** `infected`: the name of the malware. */
const scan = z.object({
  clean: z.number(),
  unscanned: listOf(z.object({ name: z.string(), reason: z.string() })),
  infected: z.string().optional(),
});
const result = z.object({ code: z.string(), message: z.string(), names: listOf(z.string()) });
const value = z.union([z.string(), user, channel, z.object({ bytes: z.number() })]);
/** A setting, with its name as the forms show it. `in`: the channel that it is for. Empty lists: not set. */
const changed = listOf(
  z.object({ setting: z.string(), in: channel.optional(), from: listOf(value), to: listOf(value) }),
);
/** The channels for new files that were chosen. */
const channels = listOf(channel);
const transfer = z.string();
const sender = z.string();
const pauseTarget = z.enum(['sending', 'requests', 'downloads']);

/** What is known depends on how far the action got, so every detail is optional. */
const details = <T extends z.ZodRawShape>(shape: T) => z.object(shape).partial();
const received = details({ files, sender, scan });
const taken = details({ files, sender, holder: user });
const point = details({ point: z.string(), recipients: emails, transfer, requester: user });
const contacts = details({
  edit: z.string(),
  contacts: emails,
  /** Old and new values. */
  changes: listOf(z.string()),
  added: z.number(),
  updated: z.number(),
  removed: z.number(),
  restored: emails,
  altered: emails,
});
/** `other`: the transfer that it duplicates. */
const outcome = details({ ...content, confirmed: z.string(), result, difference: result, scan, other: transfer });

/**
 * The actions that the audit records, and the details of each. Their texts are in features/audit/texts.ts. A new action
 * is a line here and a line there.
 */
export const auditActions = {
  connect: details({ baseUrl: z.string(), username: z.string(), channels }),
  disconnect: details({}),
  confirm: details({ transfer }),
  send: outcome,
  'ask for files': details({ transfer }),
  request: outcome,
  cancel: details({ ...content, transfer }),
  'ask for approval': details({ ...content, rules: z.string() }),
  approve: details({ ...content, transfer }),
  decline: details({ ...content, transfer, reason: z.string() }),
  'ask for a download': received,
  download: received,
  take: taken,
  'take over': taken,
  'mark done': taken,
  reopen: taken,
  'tick off': point,
  untick: point,
  settings: details({ changed, channels }),
  pause: details({ target: pauseTarget, reason: z.string() }),
  resume: details({ target: pauseTarget, queued: z.number() }),
  'release hold': details({ transfer, reason: z.enum(['committing', 'unknown', 'difference']) }),
  'resume polling': details({}),
  'clear recipients': details({}),
  'remove uploaded files': details({ files }),
  'remove unexpected files': details({ files, transfer }),
  'remove infected mark': received,
  'contacts add': contacts,
  'contacts edit': contacts,
  'contacts remove': contacts,
  'contacts import': contacts,
  'contacts group': contacts,
  'contacts export': details({ count: z.number() }),
  'audit export': details({ count: z.number(), olderThan: z.string() }),
};

export type AuditAction = keyof typeof auditActions;
export type AuditDetails<A extends AuditAction = AuditAction> = z.infer<(typeof auditActions)[A]>;

stored('audit details', z.object(auditActions));
