import type { z } from 'zod';
import { changedFormat } from './answers.ts';
import { contactView } from './entries.ts';
import { ExchangeError } from './errors.ts';
import { eachEntry, readLists } from './lists.ts';
import type { CallOptions, Session } from './session.ts';
import { expectStatus } from './status.ts';

/** A contact as a person sees it, with the text the service wrote it in. That text is what is sent back. */
export interface Contact extends z.infer<typeof contactView> {
  json: string;
}

export interface ContactFields {
  email?: string;
  number?: string;
  language?: string;
  groups?: string[];
  nick?: string;
}

export interface ContactLists {
  local: Contact[];
  global: Contact[];
}

export function makeContact(fields: ContactFields & { email: string }): Contact {
  return fromJson(JSON.stringify(fields));
}

/** Changes the fields named and keeps all others, known or not. */
export function editContact(contact: Contact, changes: ContactFields): Contact {
  return fromJson(JSON.stringify({ ...JSON.parse(contact.json), ...changes }));
}

export function readContacts(session: Session, options: CallOptions = {}): Promise<ContactLists> {
  const operation = 'readContacts';
  return session.call(operation, options, async (token, signal) => {
    const answer = await session.ask({ operation, signal }, token);
    const contacts: ContactLists = { local: [], global: [] };
    let kept = 0;
    const keep = (list: keyof ContactLists) =>
      eachEntry(session, answer, list, contactView, (view, json) => {
        kept += json.length;
        if (kept > session.limits.listBytes) {
          throw changedFormat(operation, `at most ${session.limits.listBytes} characters`, 'more', session.redact);
        }
        contacts[list].push({ ...view, json });
      });
    await readLists(session, answer, { lists: { ...keep('local'), ...keep('global') } });
    return contacts;
  });
}

/** Sends the whole local list: what is not in it is gone afterwards. Callers read first, and read back. */
export function replaceContacts(session: Session, contacts: readonly Contact[], options: CallOptions = {}) {
  return sendList(session, 'replaceContacts', contacts, options);
}

/** Sets who gets the next dispatch or grant; an empty list is nobody. */
export function setReceivers(session: Session, receivers: readonly Contact[], options: CallOptions = {}) {
  return sendList(session, 'setReceivers', receivers, options);
}

function sendList(
  session: Session,
  operation: 'replaceContacts' | 'setReceivers',
  contacts: readonly Contact[],
  options: CallOptions,
): Promise<void> {
  const body = `[${contacts.map(({ json }) => json).join(',')}]`;
  return session.call(operation, options, async (token, signal) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await session.ask({ operation, headers, body, signal }, token);
    await expectStatus(answer, 'ok', session.limits, session.redact);
  });
}

function fromJson(json: string): Contact {
  const parsed = contactView.safeParse(JSON.parse(json));
  if (!parsed.success) throw new ExchangeError('invalid-input', 'A contact needs text in each of its fields.');
  return { ...parsed.data, json };
}
