import { DroplineError } from '../../errors.ts';
import type { Filled } from '../../slack/form.ts';
import type { Fields } from './fields.ts';
import { type Page, peopleOf } from './forms.ts';
import { type Permission, settingsSchema, ttlUnits, type Who } from './settings.ts';

/** What an admin wants, by the fields of the form. */
export const readForm: Record<Page, (filled: Filled) => Partial<Fields>> = {
  inbox: (filled) => ({
    inboxChannel: filled.channel('inboxChannel'),
    delivery: settingsSchema.shape.delivery.parse(filled.choice('delivery')),
  }),
  people: (filled) => ({
    admins: filled.people('admins'),
    send: whoIn(filled, 'send'),
    request: whoIn(filled, 'request'),
    download: whoIn(filled, 'download'),
    contacts: whoIn(filled, 'contacts'),
  }),
  sending: (filled) => ({
    ttlUnit: ttlUnits.find((known) => known === filled.choice('ttlUnit')) ?? 'own',
    ttlUsual: numberIn(filled, 'ttlUsual') ?? 0,
    ttlLongest: numberIn(filled, 'ttlLongest'),
    message: filled.text('message'),
    receiverDomains: domainsIn(filled.text('receiverDomains')),
    watchedChannels: filled.channels('watchedChannels'),
  }),
  service: (filled) => ({
    requests: filled.choice('requests') === 'on',
    contactsOnlyAdd: filled.choice('contactsOnlyAdd') === 'adds',
  }),
};

function whoIn(filled: Filled, permission: Permission): Who {
  const chosen = filled.choice(permission);
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
