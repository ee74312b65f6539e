import { z } from 'zod';

/**
 * Views of the service's entries. Fields that we do not know are passed over, fields may be absent or null, what is
 * documented as text may come as a number. A view is for reading; what goes back to the service is the text as read.
 */

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const optionalText = text.nullish().transform((value) => value ?? undefined);
/** Whole seconds since 1970, or nothing: a time that is not one is not a reason to lose the entry. */
const optionalSeconds = optionalText.transform((value) =>
  value !== undefined && /^\d{1,12}$/.test(value) ? Number(value) : undefined,
);
const listOf = <T extends z.ZodType>(entry: T) =>
  z
    .array(entry)
    .nullish()
    .transform((list) => list ?? []);

const addressFields = { email: optionalText, number: optionalText, nick: optionalText };

export const contactView = z
  .object({ ...addressFields, language: optionalText, groups: listOf(text) })
  .transform(({ email, number, language, groups, nick }) => ({
    email,
    number,
    language,
    groups,
    nick,
  }));

const receiverView = z.object({ ...addressFields, name: optionalText }).transform(({ email, number, nick, name }) => ({
  email,
  number,
  nick,
  name,
}));

const fileReference = z.object({ name: optionalText }).transform(({ name }) => ({ name }));

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
    ttl: entry.ttl,
    receivers: entry.receivers,
    message: entry.ddmessage,
    files: entry.files,
  }));

export const inboxItemView = z
  .object({
    ttl: optionalText,
    createtime: optionalSeconds,
    sender: optionalText,
    files: listOf(fileReference),
    url: optionalText,
  })
  .transform(({ ttl, createtime, sender, files, url }) => ({ url, sender, createdAt: createtime, ttl, files }));

/** An entry without a name could be anybody's file and could not be removed: here the name must be there. */
export const uploadedFileView = z
  .object({ name: text, type: optionalText, size: optionalText })
  .transform(({ name, type, size }) => ({ name, type, size }));

export type HistoryEntry = z.infer<typeof historyEntryView>;
export type InboxItem = z.infer<typeof inboxItemView>;
export type UploadedFile = z.infer<typeof uploadedFileView>;
