import { DroplineError } from '../../errors.ts';
import type { Filled } from '../../slack/form.ts';
import type { FieldName, Fields } from './fields.ts';
import { type Page, peopleOf } from './forms.ts';
import { type Permission, settingsSchema, ttlUnits, type Who } from './settings.ts';

/** What an admin entered, by field. A field that Slack didn't send stays as it is. */
export const readForm: Record<Page, (filled: Filled) => Partial<Fields>> = {
  inbox: (filled) => ({
    ...ifSent(filled, 'inboxChannel', () => filled.channel('inboxChannel')),
    ...chosen(filled, 'delivery', (value) => settingsSchema.shape.delivery.parse(value)),
  }),
  people: (filled) => ({
    ...ifSent(filled, 'admins', () => filled.people('admins')),
    ...chosen(filled, 'send', (value) => whoIn(filled, 'send', value)),
    ...chosen(filled, 'request', (value) => whoIn(filled, 'request', value)),
    ...chosen(filled, 'download', (value) => whoIn(filled, 'download', value)),
    ...chosen(filled, 'contacts', (value) => whoIn(filled, 'contacts', value)),
  }),
  sending: (filled) => ({
    ...chosen(filled, 'ttlUnit', (value) => ttlUnits.find((known) => known === value) ?? 'own'),
    ...usualIn(filled),
    ...ifSent(filled, 'ttlLongest', () => numberIn(filled, 'ttlLongest')),
    ...ifSent(filled, 'message', () => filled.text('message')),
    ...ifSent(filled, 'receiverDomains', () => domainsIn(filled.text('receiverDomains'))),
    ...ifSent(filled, 'watchedChannels', () => filled.channels('watchedChannels')),
  }),
  service: (filled) => ({
    ...chosen(filled, 'requests', (value) => value === 'on'),
    ...chosen(filled, 'contactsOnlyAdd', (value) => value === 'adds'),
  }),
};

function ifSent<T extends FieldName>(filled: Filled, name: T, read: () => Fields[T]): Partial<Fields> {
  return filled.has(name) ? { [name]: read() } : {};
}

/** One option is always selected: if none came, Slack lost it. */
function chosen<T extends FieldName>(filled: Filled, name: T, read: (value: string) => Fields[T]): Partial<Fields> {
  const value = filled.choice(name);
  return value === undefined ? {} : { [name]: read(value) };
}

function usualIn(filled: Filled): Partial<Fields> {
  const ttlUsual = numberIn(filled, 'ttlUsual');
  return ttlUsual === undefined ? {} : { ttlUsual };
}

function whoIn(filled: Filled, permission: Permission, chosen: string): Who {
  const named = filled.people(peopleOf(permission));
  if (chosen === 'these' && named.length === 0) {
    throw new DroplineError('invalid', 'Name somebody here, or choose “Admins only” above.', {
      field: peopleOf(permission),
    });
  }
  if (chosen !== 'these' && named.length > 0) {
    throw new DroplineError('invalid', 'Choose “Admins and the people named below”, or take the people out.', {
      field: permission,
    });
  }
  if (chosen === 'these') return named;
  return chosen === 'everyone' ? 'everyone' : 'admins';
}

function numberIn(filled: Filled, field: string): number | undefined {
  const text = filled.text(field).replace(',', '.');
  if (text === '') return undefined;
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new DroplineError('invalid', 'This must be a number from 0 up.', { field });
}

function domainsIn(text: string): string[] {
  const domains = text.split(/[\s,;]+/).map((domain) => domain.toLowerCase().replace(/^\*?[@.]/, ''));
  return [...new Set(domains.filter((domain) => domain !== ''))];
}
