import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { FieldErrors } from '../../../lib/errors.ts';
import { type Blocks, choiceField, field, option, section, textField } from '../../../slack/blocks.ts';
import type { Filled } from '../../../slack/form.ts';
import { codec } from '../../../slack/metadata.ts';
import { channelsField, inviteHint, radioField } from '../../../slack/pickers.ts';
import { modal } from '../../../slack/views.ts';
import { expectTypedExpiry, unitChoices, unitHint } from '../expiry.ts';
import { type Clearable, type FieldHashes, type FieldName, type Fields, hashFields } from '../fields.ts';
import { policyBlocks } from '../policies/form.ts';
import { expiryUnits, permissionSettings, type Settings, settingsSchema } from '../repository.ts';
import { allowedPeopleIn, peopleBlocks } from './people.ts';

/** Hashes of the fields when the form was opened. */
export const settingsMetadata = codec('settings forms', z.object({ seen: z.record(z.string(), z.string()) }));

export const pages = {
  delivery: { title: 'Downloads', fields: ['delivery'] },
  people: { title: 'Permissions', fields: ['admins', ...Object.values(permissionSettings)] },
  sending: {
    title: 'Sending',
    fields: [
      'expiryUnit',
      'expiryDefault',
      'expiryLongest',
      'undoSeconds',
      'message',
      'recipientDomains',
      'watchedChannels',
    ],
  },
  policies: {
    title: 'File rules and scanning',
    fields: ['fileTypes', 'extensions', 'maxFileMb', 'maxTotalMb', 'unscanned'],
  },
  service: { title: 'Service', fields: ['requests', 'contactsOnlyAdd'] },
  /** Only turns on file requests. The button “Turn on file requests” opens it. */
  requests: { title: 'File requests', fields: ['requests'] },
} as const satisfies Record<string, { title: string; fields: readonly FieldName[] }>;
export type Page = keyof typeof pages;

/** The form for one page of the settings. `hasLinks`: whether there is a public URL for links. */
export function settingsForm(page: Page, settings: Settings, hasLinks: boolean): ModalView {
  return formOf(page, blocksOf[page](settings, hasLinks), hashFields(settings, pages[page].fields));
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
  const submit = page === 'requests' ? 'Turn on' : 'Save';
  return modal(pages[page].title, blocks, { id: `settings.${page}`, submit, close: 'Cancel', metadata });
}

/** The name of the field that confirms emptied fields. */
export const clearField = 'clear';

const clearLabels: Record<Clearable, string> = {
  admins: 'Remove all additional admins',
  recipientDomains: 'Allow files to be sent to any domain',
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
  delivery: deliveryBlocks,
  people: peopleBlocks,
  sending: sendingBlocks,
  policies: policyBlocks,
  service: serviceBlocks,
  requests: () => [section('Turn on file requests for this workspace?'), section(requestsText)],
};

function deliveryBlocks({ delivery }: Settings, hasLinks: boolean): Blocks {
  const link = {
    label: 'As a link',
    value: 'link',
    description: "The file isn't uploaded to Slack. The link works for ten minutes.",
  };
  return [
    section('Each inbox channel has its own setting. This one is for all other items, for example in /drop inbox.'),
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
      hasLinks ? {} : { hint: linksHint },
    ),
  ];
}

export const linksHint = 'Links need a public address of Dropline (PUBLIC_URL).';

function sendingBlocks(settings: Settings): Blocks {
  const { expiryUnit, expiryDefault, expiryLongest, undoSeconds, message, recipientDomains, watchedChannels } =
    settings;
  return [
    choiceField('expiryUnit', 'Expiry is counted in', unitChoices, expiryUnit, {
      hint: unitHint,
    }),
    textField('expiryDefault', 'Default expiry', {
      value: String(expiryDefault),
      hint: 'Pre-filled in the form. People can change it.',
      maxLength: 10,
    }),
    textField('expiryLongest', 'Maximum expiry', {
      value: expiryLongest === undefined ? '' : String(expiryLongest),
      hint: "People can't choose more. Leave empty for no limit.",
      optional: true,
      maxLength: 10,
    }),
    choiceField('undoSeconds', 'Time to undo', undoChoices, String(undoSeconds), {
      hint: 'How long a confirmed transfer waits before anything leaves. 50 seconds more if a recipient is new.',
    }),
    textField('message', 'Default message', {
      value: message,
      hint: 'Pre-filled in the form. People can change it.',
      optional: true,
      multiline: true,
    }),
    textField('recipientDomains', 'Allowed domains', {
      value: recipientDomains.join('\n'),
      placeholder: 'example.com',
      hint: 'One per line. Leave empty to allow any.',
      optional: true,
      multiline: true,
    }),
    channelsField('watchedChannels', 'Watched channels', watchedChannels, {
      hint: `When someone shares a file there, I ask them privately whether to send it. ${inviteHint}`,
    }),
  ];
}

const undoChoices: [string, string][] = [
  ['Off', '0'],
  ['5 seconds', '5'],
  ['10 seconds', '10'],
  ['30 seconds', '30'],
  ['1 minute', '60'],
  ['2 minutes', '120'],
  ['5 minutes', '300'],
];

const requestsText =
  "With a file request, the contacts that people choose get a link to upload files for a limited time. The service's documentation doesn't guarantee that only they get access, so test it with one contact before people use it.";

function serviceBlocks({ requests, contactsOnlyAdd }: Settings): Blocks {
  return [
    section(requestsText),
    radioField(
      'requests',
      'File requests',
      [
        { label: 'Off', value: 'off', description: "People can't request files." },
        { label: 'On', value: 'on', description: 'People can request files, if the permissions allow it.' },
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

/** What an admin entered, by field. Fields that Slack didn't send or that are invalid are left out. */
export const readForm: Record<Page, (filled: Filled, errors: FieldErrors) => Partial<Fields>> = {
  delivery: (filled, errors) =>
    ifChosen(filled, errors, 'delivery', (value) => settingsSchema.shape.delivery.parse(value)),
  people: (filled, errors) => ({
    ...ifSent(filled, errors, 'admins', () => filled.people('admins')),
    ...ifChosen(filled, errors, 'senders', (value) => allowedPeopleIn(filled, 'send', value)),
    ...ifChosen(filled, errors, 'requesters', (value) => allowedPeopleIn(filled, 'request', value)),
    ...ifChosen(filled, errors, 'downloaders', (value) => allowedPeopleIn(filled, 'download', value)),
    ...ifChosen(filled, errors, 'contactEditors', (value) => allowedPeopleIn(filled, 'contacts', value)),
  }),
  sending: (filled, errors) => ({
    ...ifChosen(filled, errors, 'expiryUnit', (value) => expiryUnits.find((unit) => unit === value) ?? 'own'),
    ...usualIn(filled, errors),
    ...ifSent(filled, errors, 'expiryLongest', () => wholeNumberIn(filled, 'expiryLongest')),
    ...ifChosen(filled, errors, 'undoSeconds', (value) => settingsSchema.shape.undoSeconds.parse(Number(value))),
    ...ifSent(filled, errors, 'message', () => filled.text('message')),
    ...ifSent(filled, errors, 'recipientDomains', () => wordsIn(filled.text('recipientDomains'), /^\*?[@.]/)),
    ...ifSent(filled, errors, 'watchedChannels', () => filled.channels('watchedChannels')),
  }),
  policies: (filled, errors) => ({
    ...ifChosen(filled, errors, 'fileTypes', (value) => settingsSchema.shape.fileTypes.parse(value)),
    ...ifSent(filled, errors, 'extensions', () => wordsIn(filled.text('extensions'), /^\*?\./)),
    ...ifSent(filled, errors, 'maxFileMb', () => wholeNumberIn(filled, 'maxFileMb')),
    ...ifSent(filled, errors, 'maxTotalMb', () => wholeNumberIn(filled, 'maxTotalMb')),
    ...ifChosen(filled, errors, 'unscanned', (value) => settingsSchema.shape.unscanned.parse(value)),
  }),
  service: (filled, errors) => ({
    ...ifChosen(filled, errors, 'requests', (value) => value === 'on'),
    ...ifChosen(filled, errors, 'contactsOnlyAdd', (value) => value === 'adds'),
  }),
  requests: () => ({ requests: true }),
};

function ifSent<T extends FieldName>(
  filled: Filled,
  errors: FieldErrors,
  name: T,
  read: () => Fields[T],
): Partial<Fields> {
  return filled.has(name) ? (errors.check(() => ({ [name]: read() })) ?? {}) : {};
}

/** For fields in which an option is always selected. If none was sent, Slack has lost it, so the field is left out. */
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
  const expiryDefault = errors.check(() => wholeNumberIn(filled, 'expiryDefault'));
  return expiryDefault === undefined ? {} : { expiryDefault };
}

function wholeNumberIn(filled: Filled, field: string): number | undefined {
  const text = filled.text(field);
  return text === '' ? undefined : expectTypedExpiry(text, field);
}

/** The entered words in lower case, without a prefix like the dot of an extension. */
function wordsIn(text: string, prefix: RegExp): string[] {
  const words = text.split(/[\s,;]+/).map((word) => word.toLowerCase().replace(prefix, ''));
  return [...new Set(words.filter((word) => word !== ''))];
}
