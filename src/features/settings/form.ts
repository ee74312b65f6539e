import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { FieldErrors } from '../../errors.ts';
import { type Blocks, choiceField, field, option, section, textField } from '../../slack/blocks.ts';
import { fieldName, newFieldId } from '../../slack/field-ids.ts';
import type { Filled } from '../../slack/form.ts';
import { codec } from '../../slack/metadata.ts';
import { channelField, channelsField, peopleField, radioField } from '../../slack/pickers.ts';
import { modal } from '../../slack/views.ts';
import { noPersonSelected, peopleNotUsed } from './errors.ts';
import { expectTypedExpiry, unitChoices } from './expiry.ts';
import { type Clearable, type FieldHashes, type FieldName, type Fields, fieldsOf, hashFields } from './fields.ts';
import { policyNames } from './policies/fields.ts';
import { policyBlocks, readPolicies } from './policies/form.ts';
import {
  type AllowedPeople,
  type Permission,
  permissions,
  type Settings,
  settingsSchema,
  ttlUnits,
} from './repository.ts';

/** Hashes of the fields when the form was opened. */
export const settingsMetadata = codec('settings forms', z.object({ seen: z.record(z.string(), z.string()) }));

export const pages = {
  inbox: { title: 'Incoming files', fields: ['inboxChannel', 'workChannels', 'delivery', 'reminderDays'] },
  people: { title: 'Permissions', fields: ['admins', ...permissions] },
  sending: {
    title: 'Sending',
    fields: ['ttlUnit', 'ttlUsual', 'ttlLongest', 'message', 'receiverDomains', 'watchedChannels'],
  },
  policies: { title: 'Policies', fields: policyNames },
  service: { title: 'Service', fields: ['requests', 'contactsOnlyAdd'] },
} as const satisfies Record<string, { title: string; fields: readonly FieldName[] }>;
export type Page = keyof typeof pages;

/** One of the short forms. `hasLinks`: whether there is a public URL for links. */
export function settingsForm(page: Page, settings: Settings, hasLinks: boolean): ModalView {
  return formOf(page, blocksOf[page](settings, hasLinks), hashFields(fieldsOf(settings), pages[page].fields));
}

/** The submitted form again, with a field to confirm what it would empty. */
export function clearingForm(
  page: Page,
  entered: Settings,
  { hasLinks, clearing, seen }: { hasLinks: boolean; clearing: readonly Clearable[]; seen: FieldHashes },
): ModalView {
  return formOf(page, [...clearingBlocks(clearing), ...blocksOf[page](entered, hasLinks)], seen);
}

function formOf(page: Page, blocks: Blocks, seen: FieldHashes): ModalView {
  const metadata = settingsMetadata.write({ seen });
  return modal(pages[page].title, blocks, { id: `settings.${page}`, submit: 'Save', close: 'Cancel', metadata });
}

/** The name of the field that confirms emptied fields. */
export const clearField = 'clear';

const clearLabels: Record<Clearable, string> = {
  inboxChannel: 'Remove the inbox channel',
  workChannels: 'Turn off Take and Done in all channels',
  admins: 'Remove all additional admins',
  receiverDomains: 'Allow files to be sent to any domain',
  watchedChannels: 'Stop watching all channels',
};

function clearingBlocks(clearing: readonly Clearable[]): Blocks {
  const options = clearing.map((name) => option(clearLabels[name], name));
  return [
    section('⚠️ Nothing is saved yet. Confirm what you want to remove, then save again.'),
    field(clearField, 'Confirm', { type: 'checkboxes', options } as Parameters<typeof field>[2], { optional: true }),
  ];
}

const blocksOf: Record<Page, (settings: Settings, hasLinks: boolean) => Blocks> = {
  inbox: inboxBlocks,
  people: peopleBlocks,
  sending: sendingBlocks,
  policies: ({ policies }) => policyBlocks(policies),
  service: serviceBlocks,
};

function inboxBlocks({ inboxChannel, workChannels, delivery, reminderDays }: Settings, hasLinks: boolean): Blocks {
  const link = {
    label: 'As a link',
    value: 'link',
    description: "The file isn't uploaded to Slack. The link works for ten minutes.",
  };
  return [
    channelField('inboxChannel', 'Channel for incoming files', inboxChannel, {
      hint: 'New files are posted here. Invite me first: /invite @dropline. If empty, I notify the person who connected the workspace.',
      optional: true,
    }),
    channelsField('workChannels', 'Channels with Take and Done', workChannels, {
      hint: 'Posts there show who takes care of the files. Choose from the channels where new files are posted.',
    }),
    radioField(
      'delivery',
      'Deliver downloads',
      [
        {
          label: 'In a direct message',
          value: 'private',
          description: 'Only the person who clicked Download gets the file.',
        },
        {
          label: 'In the thread',
          value: 'thread',
          description: 'Below the post, for everyone in the channel.',
        },
        ...(hasLinks ? [link] : []),
      ],
      delivery,
      hasLinks ? {} : { hint: 'Links need a public address of Dropline (PUBLIC_URL).' },
    ),
    choiceField(
      'reminderDays',
      'Remind about files that no one has downloaded',
      [
        ['Off', '0'],
        ['1 day before they expire', '1'],
        ['2 days before they expire', '2'],
      ],
      String(reminderDays),
      { hint: 'Once, in the thread of their post. Only if the expiry unit is set under Sending.' },
    ),
  ];
}

const questions: Record<Permission, [question: string, peopleLabel: string]> = {
  send: ['Who can send files?', 'People who can send files'],
  request: ['Who can request files?', 'People who can request files'],
  download: ['Who can download files?', 'People who can download files'],
  contacts: ['Who can change contacts?', 'People who can change contacts'],
};

/** The name of the people field that belongs to a permission. */
export const peopleOf = (permission: Permission) => `${permission}People`;

function peopleBlocks({ admins, may }: Settings): Blocks {
  return [
    section("Admins can do everything. Guests, bots and people from other organisations can't use Dropline."),
    peopleField('admins', 'Additional admins', admins, {
      hint: 'They can change these settings too.',
    }),
    ...permissions.flatMap((permission) => permissionFields(permission, may[permission])),
  ];
}

function permissionFields(permission: Permission, allowedPeople: AllowedPeople): InputBlock[] {
  const [question] = questions[permission];
  const chosen = typeof allowedPeople === 'string' ? allowedPeople : 'these';
  return [
    choiceField(
      permission,
      question,
      [
        ['Everyone', 'everyone'],
        ['Admins only', 'admins'],
        ['Admins and selected people', 'these'],
      ],
      chosen,
      { reportsEntries: true },
    ),
    ...(chosen === 'these' ? [selectedPeople(permission, allowedPeople)] : []),
  ];
}

/** Shown only if “Admins and selected people” is chosen. */
function selectedPeople(permission: Permission, allowedPeople: AllowedPeople): InputBlock {
  const [, label] = questions[permission];
  return peopleField(peopleOf(permission), label, typeof allowedPeople === 'string' ? [] : allowedPeople);
}

/** The blocks of the permissions form after a choice: with a field for people where it is needed. */
export function withPeopleFields(blocks: Blocks, filled: Filled, may: Settings['may']): Blocks {
  const nameOf = ({ block_id: id = '' }: Blocks[number]) => fieldName(id);
  const names: string[] = permissions.map(peopleOf);
  const shown = new Map(blocks.map((block) => [nameOf(block), block]));
  return blocks
    .filter((block) => !names.includes(nameOf(block)))
    .flatMap((block) => {
      const permission = permissions.find((known) => known === nameOf(block));
      if (permission === undefined || filled.choice(permission) !== 'these') return [block];
      const name = peopleOf(permission);
      const added = { ...selectedPeople(permission, may[permission]), block_id: newFieldId(name) };
      return [block, shown.get(name) ?? added];
    });
}

function sendingBlocks({ ttl, message, receiverDomains, watchedChannels }: Settings): Blocks {
  return [
    choiceField('ttlUnit', 'Expiry is counted in', unitChoices, ttl.unit, {
      hint: "Ask the operator of your service. If you're not sure, no expiry dates are shown.",
    }),
    textField('ttlUsual', 'Default expiry', {
      value: String(ttl.usual),
      hint: 'Pre-filled in the form. People can change it.',
      maxLength: 10,
    }),
    textField('ttlLongest', 'Maximum expiry', {
      value: ttl.longest === undefined ? '' : String(ttl.longest),
      hint: "People can't choose more. Leave empty for no limit.",
      optional: true,
      maxLength: 10,
    }),
    textField('message', 'Default message', {
      value: message,
      hint: 'Pre-filled in the form. People can change it.',
      optional: true,
      multiline: true,
    }),
    textField('receiverDomains', 'Allowed domains', {
      value: receiverDomains.join('\n'),
      placeholder: 'example.com',
      hint: 'One per line. Leave empty to allow any.',
      optional: true,
      multiline: true,
    }),
    channelsField('watchedChannels', 'Watched channels', watchedChannels, {
      hint: 'When someone shares a file there, I ask them privately whether to send it. Invite me first: /invite @dropline.',
    }),
  ];
}

function serviceBlocks({ requests, contactsOnlyAdd }: Settings): Blocks {
  return [
    section(
      "A request lets contacts upload files for a limited time. The service's documentation doesn't say which contacts get access. Dropline sets the chosen contacts as recipients right before it. Try it with one contact first.",
    ),
    radioField(
      'requests',
      'File requests',
      [
        { label: 'Off', value: 'off', description: "People can't request files." },
        { label: 'On', value: 'on', description: 'I understand' },
      ],
      requests ? 'on' : 'off',
    ),
    radioField(
      'contactsOnlyAdd',
      'Contact sync',
      [
        {
          label: 'Replace all',
          value: 'whole',
          description: 'As documented by the service. Contacts can be changed and removed.',
        },
        {
          label: 'Add-only service',
          value: 'adds',
          description: 'Contacts can be added, but not changed or removed.',
        },
      ],
      contactsOnlyAdd ? 'adds' : 'whole',
      {
        hint: "Choose add-only only if your service's operator says so. On any other service, adding a contact would remove all others.",
      },
    ),
  ];
}

export function routeForm(): ModalView {
  return modal(
    'Add route',
    [
      textField('from', 'Sender', {
        placeholder: 'anna@example.org or example.org',
        hint: 'An email address or a domain.',
        maxLength: 254,
      }),
      channelField('channel', 'Channel', undefined, {
        hint: 'Their files are posted here. Invite me first: /invite @dropline.',
      }),
    ],
    { id: 'settings.route', submit: 'Add', close: 'Cancel' },
  );
}

/** What an admin entered, by field. Fields that Slack didn't send or that are invalid are left out. */
export const readForm: Record<Page, (filled: Filled, errors: FieldErrors) => Partial<Fields>> = {
  inbox: (filled, errors) => ({
    ...ifSent(filled, errors, 'inboxChannel', () => filled.channel('inboxChannel')),
    ...ifSent(filled, errors, 'workChannels', () => filled.channels('workChannels')),
    ...ifChosen(filled, errors, 'delivery', (value) => settingsSchema.shape.delivery.parse(value)),
    ...ifChosen(filled, errors, 'reminderDays', (value) => settingsSchema.shape.reminderDays.parse(Number(value))),
  }),
  people: (filled, errors) => ({
    ...ifSent(filled, errors, 'admins', () => filled.people('admins')),
    ...ifChosen(filled, errors, 'send', (value) => allowedPeopleIn(filled, 'send', value)),
    ...ifChosen(filled, errors, 'request', (value) => allowedPeopleIn(filled, 'request', value)),
    ...ifChosen(filled, errors, 'download', (value) => allowedPeopleIn(filled, 'download', value)),
    ...ifChosen(filled, errors, 'contacts', (value) => allowedPeopleIn(filled, 'contacts', value)),
  }),
  sending: (filled, errors) => ({
    ...ifChosen(filled, errors, 'ttlUnit', (value) => ttlUnits.find((known) => known === value) ?? 'own'),
    ...usualIn(filled, errors),
    ...ifSent(filled, errors, 'ttlLongest', () => expiryIn(filled, 'ttlLongest')),
    ...ifSent(filled, errors, 'message', () => filled.text('message')),
    ...ifSent(filled, errors, 'receiverDomains', () => domainsIn(filled.text('receiverDomains'))),
    ...ifSent(filled, errors, 'watchedChannels', () => filled.channels('watchedChannels')),
  }),
  policies: readPolicies,
  service: (filled, errors) => ({
    ...ifChosen(filled, errors, 'requests', (value) => value === 'on'),
    ...ifChosen(filled, errors, 'contactsOnlyAdd', (value) => value === 'adds'),
  }),
};

function ifSent<T extends FieldName>(
  filled: Filled,
  errors: FieldErrors,
  name: T,
  read: () => Fields[T],
): Partial<Fields> {
  return filled.has(name) ? (errors.check(() => ({ [name]: read() })) ?? {}) : {};
}

/** In these fields an option is always selected: if none was sent, Slack has lost it. */
function ifChosen<T extends FieldName>(
  filled: Filled,
  errors: FieldErrors,
  name: T,
  read: (value: string) => Fields[T],
): Partial<Fields> {
  const value = filled.choice(name);
  return value === undefined ? {} : (errors.check(() => ({ [name]: read(value) })) ?? {});
}

function usualIn(filled: Filled, errors: FieldErrors): Partial<Fields> {
  const ttlUsual = errors.check(() => expiryIn(filled, 'ttlUsual'));
  return ttlUsual === undefined ? {} : { ttlUsual };
}

function allowedPeopleIn(filled: Filled, permission: Permission, choice: string): AllowedPeople {
  const people = filled.people(peopleOf(permission));
  if (choice === 'these' && people.length === 0) {
    throw noPersonSelected(filled.has(peopleOf(permission)) ? peopleOf(permission) : permission);
  }
  if (choice !== 'these' && people.length > 0) throw peopleNotUsed(permission);
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
