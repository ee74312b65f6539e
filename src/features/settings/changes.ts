import type { AuditDetails } from '../../store/index.ts';
import { type ApprovalPolicy, approvalTitles } from './approval/fields.ts';
import { digestText, type FieldName, titles } from './fields.ts';
import type { Settings } from './repository.ts';

type Change = Exclude<NonNullable<AuditDetails<'settings'>['changed']>[number], { omitted: number }>;
type Value = Change['from'][number];
type Format = (value: unknown) => Value;

const user: Format = (id) => ({ user: String(id) });
const channel: Format = (id) => ({ channel: String(id) });
const userOrGroup: Format = (id) => (id === 'everyone' || id === 'admins' ? id : user(id));
const megabytes: Format = (value) => ({ bytes: Number(value) * 1_000_000 });
const words =
  (texts: Record<string, string>): Format =>
  (value) =>
    (Object.hasOwn(texts, String(value)) && texts[String(value)]) || String(value);
const plain: Format = (value) => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));

/** How the values of a setting are recorded: ids and sizes as such, choices in the words of the forms. */
const fieldFormats: Partial<Record<FieldName, Format>> = {
  inboxChannel: channel,
  workChannels: channel,
  watchedChannels: channel,
  admins: user,
  senders: userOrGroup,
  requesters: userOrGroup,
  downloaders: userOrGroup,
  contactEditors: userOrGroup,
  maxFileMb: megabytes,
  maxTotalMb: megabytes,
  delivery: words({ private: 'in a direct message', thread: 'in the thread', link: 'as a link' }),
  expiryUnit: words({ own: 'unknown' }),
  contactsOnlyAdd: words({ true: 'add-only service', false: 'replace all' }),
  fileTypes: words({ allow: 'only these', block: 'all except these' }),
  unscanned: words({ block: 'blocked', note: 'allowed and noted' }),
};
const approvalFormats: Partial<Record<keyof ApprovalPolicy, Format>> = {
  approvers: user,
  senders: user,
  channel,
  bytes: (bytes) => ({ bytes: Number(bytes) }),
};

/** What has changed, for the audit entry. Routes and digests are compared one by one. */
export function describeChanges(before: Settings, after: Settings): Change[] {
  const { routes: _, digests: __, ...fieldTitles } = titles;
  const senders = new Set([...before.routes, ...after.routes].map(({ from }) => from));
  const routesOf = ({ routes }: Settings, sender: string) =>
    routes.filter(({ from }) => from === sender).map((route) => channel(route.channel));
  const digestChannels = new Set([...before.digests, ...after.digests].map((digest) => digest.channel));
  const digestOf = ({ digests }: Settings, id: string) => [digestText(digests.find((one) => one.channel === id))];
  return [
    ...changesOf(fieldTitles, fieldFormats, before, after),
    ...changesOf(approvalTitles, approvalFormats, before.approval, after.approval),
    ...[...senders].map((one) => ({
      setting: `Route of ${one}`,
      from: routesOf(before, one),
      to: routesOf(after, one),
    })),
    ...[...digestChannels].map((one) => ({
      setting: 'Posts',
      in: { channel: one },
      from: digestOf(before, one),
      to: digestOf(after, one),
    })),
  ].filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}

function changesOf<Name extends string>(
  names: Record<Name, string>,
  formats: Partial<Record<string, Format>>,
  before: Partial<Record<NoInfer<Name>, unknown>>,
  after: Partial<Record<NoInfer<Name>, unknown>>,
): Change[] {
  return (Object.keys(names) as Name[]).map((name) => ({
    setting: names[name],
    from: valuesOf(before[name], formats[name]),
    to: valuesOf(after[name], formats[name]),
  }));
}

function valuesOf(value: unknown, format = plain): Value[] {
  if (value === undefined || value === '') return [];
  return Array.isArray(value) ? value.map(format) : [format(value)];
}
