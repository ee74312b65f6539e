import { z } from 'zod';

/**
 * Views of the service's entries. Unknown fields are ignored, fields can be absent or null, and text can arrive as a
 * number. A view is only for reading: the service gets its original text back.
 */

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const optionalText = text.nullish().transform((value) => value ?? undefined);
/** Seconds since 1970. An invalid time becomes undefined, so that the entry can still be used. */
const optionalSeconds = optionalText.transform(secondsIn);

function secondsIn(value: string | null | undefined): number | undefined {
  return value && /^\d{1,12}$/.test(value) ? Number(value) : undefined;
}
const listOf = <T extends z.ZodType>(entry: T) =>
  z
    .array(entry)
    .nullish()
    .transform((list) => list ?? []);

/**
 * The fields of a contact, declared once, in the order of an exported table. `groups` is a list, the others are texts.
 */
export const contactShape = <Text, Groups>(text: Text, groups: Groups) => ({
  email: text,
  number: text,
  language: text,
  groups,
  nick: text,
});
export const contactFieldNames = Object.keys(contactShape('', '')) as readonly (keyof ContactFields)[];
export type ContactFields = Partial<ReturnType<typeof contactShape<string, string[]>>>;
/** The fields that are texts. */
export type ContactText = Exclude<keyof ContactFields, 'groups'>;
export const contactTexts = contactFieldNames.filter((name) => name !== 'groups') as readonly ContactText[];

/** Sets absent texts to undefined, and absent groups to an empty list. */
export const contactView = z
  .object(contactShape(optionalText, listOf(text)))
  .transform((contact) => ({ ...contactShape(undefined, []), ...contact }));

/**
 * Reads a contact like `contactView` if each of its fields has the documented type; otherwise undefined. A list has
 * thousands of contacts, and the schema takes about 60 times as long.
 */
export function plainContact(value: unknown): z.output<typeof contactView> | undefined {
  if (!isRecord(value)) return undefined;
  const { email, number, language, groups, nick } = value;
  if (!isPlainText(email) || !isPlainText(number) || !isPlainText(language) || !isPlainText(nick)) return undefined;
  if (!isPlainList(groups)) return undefined;
  return {
    email: email ?? undefined,
    number: number ?? undefined,
    language: language ?? undefined,
    groups: groups ?? [],
    nick: nick ?? undefined,
  };
}

const isPlainText = (value: unknown): value is string | null | undefined =>
  typeof value === 'string' || value === undefined || value === null;

const isPlainList = (value: unknown): value is string[] | null | undefined =>
  value === undefined || value === null || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

const receiverView = z.object({ email: optionalText, number: optionalText, nick: optionalText, name: optionalText });

const fileReference = z.object({ name: optionalText });

export const historyEntryView = z
  .object({
    drop_type: optionalText,
    create_time: optionalSeconds,
    ttl: optionalText,
    receivers: listOf(receiverView),
    ddmessage: optionalText,
    files: listOf(fileReference),
  })
  .transform((entry) => ({
    type: entry.drop_type,
    createdAt: entry.create_time,
    expiresAfter: entry.ttl,
    recipients: entry.receivers,
    message: entry.ddmessage,
    files: entry.files,
  }));

/** Reads a history entry like `historyEntryView`. A history has thousands, and the schema takes about ten times as long. */
export const historyEntryReader = {
  safeParse(value: unknown): z.ZodSafeParseResult<HistoryEntry> {
    const data = plainHistoryEntry(value);
    return data === undefined ? historyEntryView.safeParse(value) : { success: true, data };
  },
};

/** The entry if each of its fields has the documented type; otherwise undefined. */
function plainHistoryEntry(value: unknown): HistoryEntry | undefined {
  if (!isRecord(value)) return undefined;
  const { drop_type: type, create_time: time, ttl, ddmessage: message } = value;
  const recipients = plainRecords(value.receivers, ['email', 'number', 'nick', 'name']);
  const files = plainRecords(value.files, ['name']);
  if (!isPlainText(type) || !isPlainText(time) || !isPlainText(ttl) || !isPlainText(message)) return undefined;
  if (recipients === undefined || files === undefined) return undefined;
  return {
    type: type ?? undefined,
    createdAt: secondsIn(time),
    expiresAfter: ttl ?? undefined,
    recipients,
    message: message ?? undefined,
    files,
  };
}

/** A list of objects with only these fields; undefined if one of the fields has another type. */
function plainRecords<K extends string>(
  value: unknown,
  names: readonly K[],
): Record<K, string | undefined>[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const records: Record<K, string | undefined>[] = [];
  for (const entry of value) {
    if (!isRecord(entry)) return undefined;
    const record = {} as Record<K, string | undefined>;
    for (const name of names) {
      const text = entry[name];
      if (!isPlainText(text)) return undefined;
      record[name] = text ?? undefined;
    }
    records.push(record);
  }
  return records;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const inboxItemView = z
  .object({
    ttl: optionalText,
    createtime: optionalSeconds,
    sender: optionalText,
    files: listOf(fileReference),
    url: optionalText,
  })
  .transform(({ ttl, createtime, sender, files, url }) => ({
    url,
    sender,
    createdAt: createtime,
    expiresAfter: ttl,
    files,
  }));

/** The name is required: without it, a file can be neither recognised nor removed. */
export const uploadedFileView = z.object({ name: text, type: optionalText, size: optionalText });

export type HistoryEntry = z.infer<typeof historyEntryView>;
export type InboxItem = z.infer<typeof inboxItemView>;
export type UploadedFile = z.infer<typeof uploadedFileView>;
