import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { type Blocks, choiceField, field, option, section, textField } from '../../slack/blocks.ts';
import { codec } from '../../slack/metadata.ts';
import { channelField, channelsField, peopleField, radioField } from '../../slack/pickers.ts';
import { modal } from '../../slack/views.ts';
import { unitChoices } from './expiry.ts';
import { type Clearable, type FieldHashes, type FieldName, fieldsOf, hashFields } from './fields.ts';
import { type AllowedPeople, type Permission, permissions, type Settings } from './settings.ts';

/** Hashes of the fields when the form was opened. */
export const settingsMetadata = codec('settings forms', z.object({ seen: z.record(z.string(), z.string()) }));

export const pages = {
  inbox: { title: 'Incoming files', fields: ['inboxChannel', 'delivery'] },
  people: { title: 'Who may do what', fields: ['admins', ...permissions] },
  sending: {
    title: 'Sending',
    fields: ['ttlUnit', 'ttlUsual', 'ttlLongest', 'message', 'receiverDomains', 'watchedChannels'],
  },
  service: { title: 'The service', fields: ['requests', 'contactsOnlyAdd'] },
} as const satisfies Record<string, { title: string; fields: readonly FieldName[] }>;
export type Page = keyof typeof pages;

/** One of four short forms. `hasLinks`: whether there is a public URL for links. */
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
  admins: 'Remove all additional admins',
  receiverDomains: 'Allow files to be sent to any domain',
  watchedChannels: 'Stop watching all channels',
};

function clearingBlocks(clearing: readonly Clearable[]): Blocks {
  const options = clearing.map((name) => option(clearLabels[name], name));
  return [
    section('⚠️ Nothing was saved yet. Confirm what you want to remove, then save again.'),
    field(clearField, 'Confirm', { type: 'checkboxes', options } as Parameters<typeof field>[2], { optional: true }),
  ];
}

const blocksOf: Record<Page, (settings: Settings, hasLinks: boolean) => Blocks> = {
  inbox: inboxBlocks,
  people: peopleBlocks,
  sending: sendingBlocks,
  service: serviceBlocks,
};

function inboxBlocks({ inboxChannel, delivery }: Settings, hasLinks: boolean): Blocks {
  const link = {
    label: 'By a link',
    value: 'link',
    description: 'The file stays out of Slack; the link works for a short while.',
  };
  return [
    channelField('inboxChannel', 'Channel for incoming files', inboxChannel, {
      hint: 'New files are announced here. Invite me first: /invite @dropline. Without a channel, whoever connected the workspace is told.',
      optional: true,
    }),
    radioField(
      'delivery',
      'How does a download arrive?',
      [
        { label: 'In a direct message', value: 'private', description: 'Only whoever clicked Download gets the file.' },
        {
          label: 'In the thread',
          value: 'thread',
          description: 'Below the announcement, for everyone in that channel.',
        },
        ...(hasLinks ? [link] : []),
      ],
      delivery,
      hasLinks ? {} : { hint: 'A link would be possible if Dropline had an address of its own (PUBLIC_URL).' },
    ),
  ];
}

const questions: Record<Permission, [question: string, peopleLabel: string]> = {
  send: ['Who may send files?', 'People who may send files'],
  request: ['Who may ask for files?', 'People who may ask for files'],
  download: ['Who may download files?', 'People who may download files'],
  contacts: ['Who may change contacts?', 'People who may change contacts'],
};

/** The name of the people field that belongs to a permission. */
export const peopleOf = (permission: Permission) => `${permission}People`;

function peopleBlocks({ admins, may }: Settings): Blocks {
  return [
    section('Admins may do everything. Guests, bots and people from other organisations may do nothing.'),
    peopleField('admins', 'Admins beside those of the workspace', admins, {
      hint: 'They may change these settings too.',
    }),
    ...permissions.flatMap((permission) => permissionFields(permission, may[permission])),
  ];
}

function permissionFields(permission: Permission, allowedPeople: AllowedPeople): InputBlock[] {
  const [question, peopleLabel] = questions[permission];
  const chosen = typeof allowedPeople === 'string' ? allowedPeople : 'these';
  return [
    choiceField(
      permission,
      question,
      [
        ['Everyone', 'everyone'],
        ['Admins only', 'admins'],
        ['Admins and the people named below', 'these'],
      ],
      chosen,
    ),
    peopleField(peopleOf(permission), peopleLabel, typeof allowedPeople === 'string' ? [] : allowedPeople),
  ];
}

function sendingBlocks({ ttl, message, receiverDomains, watchedChannels }: Settings): Blocks {
  return [
    choiceField('ttlUnit', 'What does a time to live count?', unitChoices, ttl.unit, {
      hint: 'The service does not say. Ask whoever runs it; with its own units no date is shown.',
    }),
    textField('ttlUsual', 'Usual time to live', {
      value: String(ttl.usual),
      hint: 'Filled in when somebody opens the form; they can change it.',
      maxLength: 10,
    }),
    textField('ttlLongest', 'Longest time to live', {
      value: ttl.longest === undefined ? '' : String(ttl.longest),
      hint: 'Nobody can choose more. Leave it empty for as long as the service allows.',
      optional: true,
      maxLength: 10,
    }),
    textField('message', 'Message to start with', {
      value: message,
      hint: 'Filled in when somebody opens the form; they can change it.',
      optional: true,
      multiline: true,
    }),
    textField('receiverDomains', 'Domains that files may be sent to', {
      value: receiverDomains.join('\n'),
      placeholder: 'example.com',
      hint: 'One per line. Leave it empty to allow any.',
      optional: true,
      multiline: true,
    }),
    channelsField('watchedChannels', 'Watched channels', watchedChannels, {
      hint: 'Whoever shares a file in one of them is asked, privately, whether to send it. Invite me there first.',
    }),
  ];
}

function serviceBlocks({ requests, contactsOnlyAdd }: Settings): Blocks {
  return [
    section(
      'Asking for files gives contacts access to upload for a time. To whom, the documentation of the service does not say: Dropline sets the chosen contacts as receivers just before, and takes it that they are meant. This reading is ours. Try it with one contact first.',
    ),
    radioField(
      'requests',
      'Asking for files',
      [
        { label: 'Off', value: 'off', description: 'Nobody can ask contacts for files.' },
        { label: 'On', value: 'on', description: 'I have read the lines above.' },
      ],
      requests ? 'on' : 'off',
    ),
    radioField(
      'contactsOnlyAdd',
      'How does the service save contacts?',
      [
        {
          label: 'As a whole list',
          value: 'whole',
          description: 'As its documentation says. Contacts can be changed and removed.',
        },
        {
          label: 'This service only adds',
          value: 'adds',
          description: 'Contacts can be added, and neither changed nor removed.',
        },
      ],
      contactsOnlyAdd ? 'adds' : 'whole',
      {
        hint: 'Choose the second only if adding a contact was refused: a service that takes whole lists would lose the others.',
      },
    ),
  ];
}

export function routeForm(): ModalView {
  return modal(
    'Add a route',
    [
      textField('from', 'Sender', {
        placeholder: 'anna@example.org or example.org',
        hint: 'An address, or a whole domain.',
        maxLength: 254,
      }),
      channelField('channel', 'Channel', undefined, {
        hint: 'Their files are announced here. Invite me first: /invite @dropline.',
      }),
    ],
    { id: 'settings.route', submit: 'Add this route', close: 'Cancel' },
  );
}
