import type { AuditDetails } from '../../store/index.ts';
import { type ApprovalPolicy, approvalTitles } from './approval/fields.ts';
import { type FieldName, titles } from './fields.ts';
import { channelIds, channelTexts, deliveryTexts } from './inbox-channels.ts';
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
  watchedChannels: channel,
  admins: user,
  senders: userOrGroup,
  requesters: userOrGroup,
  downloaders: userOrGroup,
  contactEditors: userOrGroup,
  maxFileMb: megabytes,
  maxTotalMb: megabytes,
  delivery: words(deliveryTexts),
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

/** What has changed, for the audit entry. Inbox channels are compared one by one. */
export function describeChanges(before: Settings, after: Settings): Change[] {
  const { inboxChannels: _, ...fieldTitles } = titles;
  return [
    ...changesOf(fieldTitles, fieldFormats, before, after),
    ...changesOf(approvalTitles, approvalFormats, before.approval, after.approval),
    ...channelChanges(before, after),
  ].filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}

/** For each channel, the properties that differ. */
function channelChanges(before: Settings, after: Settings): Change[] {
  const textsIn = ({ inboxChannels }: Settings, id: string) =>
    inboxChannels.filter((one) => one.channel === id).flatMap(channelTexts);
  return [...new Set([...channelIds(before), ...channelIds(after)])].map((id) => {
    const [earlier, current] = [textsIn(before, id), textsIn(after, id)];
    return {
      setting: 'Inbox channel',
      in: { channel: id },
      from: earlier.filter((text) => !current.includes(text)),
      to: current.filter((text) => !earlier.includes(text)),
    };
  });
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
