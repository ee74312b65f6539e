import type { Contact } from '../../../exchange/index.ts';
import { firstOf } from '../../../store/index.ts';
import { truncate } from '../../../truncate.ts';
import { changedFields, nameOf, numbersFirst, pairContacts } from '../list/compare.ts';
import type { Change } from './diff.ts';
import { fieldNames } from './fields.ts';
import type { SentEdit } from './repository.ts';

/** Contacts in an audit entry. An import can have thousands. */
const maxAudited = 50;

/** Old and new values for the audit entry, like `anna@example.com: mobile number “46701” → “46702”`. */
export function changeTexts({ before, after }: Pick<SentEdit, 'before' | 'after'>) {
  const quoted = (value: string) => (value === '' ? 'not set' : `“${truncate(value, 100)}”`);
  const changes = numbersFirst(pairContacts(before, after));
  const texts = changes.map((change) => {
    const name = nameOf((change.from ?? change.to) as Contact);
    const fields = changedFields(change).filter(
      ({ field, from, to }) => field !== 'email' || (from !== '' && to !== ''),
    );
    const fieldTexts = fields.map(({ field, from, to }) => `${fieldNames[field]} ${quoted(from)} → ${quoted(to)}`);
    return fieldTexts.length === 0 ? name : `${name}: ${fieldTexts.join(', ')}`;
  });
  return firstOf(texts, maxAudited);
}

/** The first addresses of a requested change, for the audit entry. */
export const auditedEmails = (change: Change) => firstOf(emailsOf(change), maxAudited);

function emailsOf(change: Change): string[] {
  switch (change.kind) {
    case 'add':
    case 'import':
      return change.contacts.map(({ email }) => email);
    case 'edit':
      return [change.email];
    case 'remove':
      return change.emails;
    case 'group':
      return [...change.join, ...change.leave];
  }
}
