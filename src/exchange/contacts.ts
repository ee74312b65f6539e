import type { z } from 'zod';
import { type ContactFields, contactView, plainContact } from './entries.ts';
import { ExchangeError } from './errors.ts';
import { ListScanner } from './list-scanner.ts';
import { type EntrySchema, eachEntry, readLists } from './lists.ts';
import type { CallOptions, Session } from './session.ts';
import { expectStatus } from './status.ts';

/** A contact's documented fields, and the JSON text that the service sent. Only that text is sent back. */
export interface Contact extends z.infer<typeof contactView> {
  json: string;
}

/** Immutable once read, so derived values can be cached. */
export interface ContactLists {
  readonly local: readonly Contact[];
  readonly global: readonly Contact[];
}

const contactEntry: EntrySchema<z.output<typeof contactView>> = {
  safeParse(value) {
    const data = plainContact(value);
    return data === undefined ? contactView.safeParse(value) : { success: true, data };
  },
};

/** Lists the fields, because spreading an object takes longer than parsing it. */
const withJson = ({ email, number, language, groups, nick }: z.output<typeof contactView>, json: string): Contact => ({
  email,
  number,
  language,
  groups,
  nick,
  json,
});

export function makeContact(fields: ContactFields & { email: string }): Contact {
  return readContact(JSON.stringify(fields));
}

/** Changes these fields and keeps the exact text of all others, documented or not. */
export function editContact(contact: Contact, changes: ContactFields): Contact {
  const members = new Map<string, string>();
  const scanner = new ListScanner([], {
    element() {},
    wants: () => true,
    value: (key, json) => members.set(key, json),
  });
  scanner.push(Buffer.from(contact.json));
  scanner.end();
  for (const [key, value] of Object.entries(changes)) {
    if (value !== undefined) members.set(key, JSON.stringify(value));
  }
  return readContact(`{${[...members].map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`);
}

export function readContacts(session: Session, options: CallOptions = {}): Promise<ContactLists> {
  const operation = 'readContacts';
  return session.call(operation, options, async (token, signal) => {
    const answer = await session.request({ operation, signal }, token);
    const contacts = { local: [] as Contact[], global: [] as Contact[] };
    const collect = (list: keyof ContactLists) =>
      eachEntry(session, answer, list, contactEntry, session.limits.listBytes, (view, json) => {
        contacts[list].push(withJson(view, json));
        return json;
      });
    await readLists(session, answer, { lists: { ...collect('local'), ...collect('global') } });
    return contacts;
  });
}

/** Replaces the whole local list: other contacts are deleted. Callers must read the list before and after. */
export function replaceContacts(session: Session, contacts: readonly Contact[], options: CallOptions = {}) {
  return sendList(session, 'replaceContacts', contacts, options);
}

/** Sets the receivers of the next dispatch or grant; an empty list clears them. */
export function setReceivers(session: Session, receivers: readonly Contact[], options: CallOptions = {}) {
  return sendList(session, 'setReceivers', receivers, options);
}

function sendList(
  session: Session,
  operation: 'replaceContacts' | 'setReceivers',
  contacts: readonly Contact[],
  options: CallOptions,
): Promise<void> {
  const json = `[${contacts.map((contact) => contact.json).join(',')}]`;
  return session.call(operation, options, async (token, signal) => {
    const answer = await session.request({ operation, json, signal }, token);
    await expectStatus(session, answer, 'ok');
  });
}

/** A contact from its stored JSON text. */
export function readContact(json: string): Contact {
  const parsed = contactEntry.safeParse(JSON.parse(json));
  if (!parsed.success) throw new ExchangeError('invalid-input', 'A contact needs text in each of its fields.');
  return withJson(parsed.data, json);
}
