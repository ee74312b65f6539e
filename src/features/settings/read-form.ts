import { DroplineError } from '../../errors.ts';
import type { Filled } from '../../slack/form.ts';
import { expectTypedExpiry } from './expiry.ts';
import type { FieldName, Fields } from './fields.ts';
import { type Page, peopleOf } from './forms.ts';
import { type AllowedPeople, type Permission, settingsSchema, ttlUnits } from './settings.ts';

/** What an admin entered, by field. Fields that Slack didn't send are left out, so they stay as they are. */
export const readForm: Record<Page, (filled: Filled) => Partial<Fields>> = {
  inbox: (filled) => ({
    ...ifSent(filled, 'inboxChannel', () => filled.channel('inboxChannel')),
    ...ifChosen(filled, 'delivery', (value) => settingsSchema.shape.delivery.parse(value)),
  }),
  people: (filled) => ({
    ...ifSent(filled, 'admins', () => filled.people('admins')),
    ...ifChosen(filled, 'send', (value) => allowedPeopleIn(filled, 'send', value)),
    ...ifChosen(filled, 'request', (value) => allowedPeopleIn(filled, 'request', value)),
    ...ifChosen(filled, 'download', (value) => allowedPeopleIn(filled, 'download', value)),
    ...ifChosen(filled, 'contacts', (value) => allowedPeopleIn(filled, 'contacts', value)),
  }),
  sending: (filled) => ({
    ...ifChosen(filled, 'ttlUnit', (value) => ttlUnits.find((known) => known === value) ?? 'own'),
    ...usualIn(filled),
    ...ifSent(filled, 'ttlLongest', () => expiryIn(filled, 'ttlLongest')),
    ...ifSent(filled, 'message', () => filled.text('message')),
    ...ifSent(filled, 'receiverDomains', () => domainsIn(filled.text('receiverDomains'))),
    ...ifSent(filled, 'watchedChannels', () => filled.channels('watchedChannels')),
  }),
  service: (filled) => ({
    ...ifChosen(filled, 'requests', (value) => value === 'on'),
    ...ifChosen(filled, 'contactsOnlyAdd', (value) => value === 'adds'),
  }),
};

function ifSent<T extends FieldName>(filled: Filled, name: T, read: () => Fields[T]): Partial<Fields> {
  return filled.has(name) ? { [name]: read() } : {};
}

/** In these fields an option is always selected: if none was sent, Slack has lost it. */
function ifChosen<T extends FieldName>(filled: Filled, name: T, read: (value: string) => Fields[T]): Partial<Fields> {
  const value = filled.choice(name);
  return value === undefined ? {} : { [name]: read(value) };
}

function usualIn(filled: Filled): Partial<Fields> {
  const ttlUsual = expiryIn(filled, 'ttlUsual');
  return ttlUsual === undefined ? {} : { ttlUsual };
}

function allowedPeopleIn(filled: Filled, permission: Permission, choice: string): AllowedPeople {
  const people = filled.people(peopleOf(permission));
  if (choice === 'these' && people.length === 0) {
    throw new DroplineError('invalid', 'Select at least one person, or choose “Admins only” above.', {
      field: peopleOf(permission),
    });
  }
  if (choice !== 'these' && people.length > 0) {
    throw new DroplineError('invalid', 'Choose “Admins and selected people” above, or clear this list.', {
      field: permission,
    });
  }
  if (choice === 'these') return people;
  return choice === 'everyone' ? 'everyone' : 'admins';
}

function expiryIn(filled: Filled, field: 'ttlUsual' | 'ttlLongest'): number | undefined {
  const text = filled.text(field);
  return text === '' ? undefined : expectTypedExpiry(text, unitIn(filled) ?? 'own', field);
}

const unitIn = (filled: Filled) => ttlUnits.find((known) => known === filled.choice('ttlUnit'));

function domainsIn(text: string): string[] {
  const domains = text.split(/[\s,;]+/).map((domain) => domain.toLowerCase().replace(/^\*?[@.]/, ''));
  return [...new Set(domains.filter((domain) => domain !== ''))];
}
