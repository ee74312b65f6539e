import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { actions, button, choiceField, confirmation, line, note, section, textField } from '../../../slack/blocks.ts';
import { codec } from '../../../slack/metadata.ts';
import { channelField } from '../../../slack/pickers.ts';
import { modal } from '../../../slack/views.ts';
import { unitChoices } from '../../settings/expiry.ts';
import type { Settings } from '../../settings/settings.ts';

/** Longer commands aren't continued after connecting: the person types them again. */
export const maxCommandChars = 1_000;

/** `next`: the command that was interrupted because the workspace wasn't connected. */
export const connectMetadata = codec('connect form', z.object({ next: z.string().max(maxCommandChars).optional() }));

export interface ConnectForm {
  baseUrl?: string | undefined;
  username?: string | undefined;
  inboxChannel?: string | undefined;
  ttl: Settings['ttl'];
  next?: string | undefined;
  /** The key is entered on Dropline's own page, so that Slack never sees it. */
  hasPage: boolean;
}

const keyField = textField('apiKey', 'API key', {
  hint: 'Slack can see this value. Dropline encrypts it and never shows it again.',
  maxLength: 1_000,
});

export function connectView({ baseUrl, username, inboxChannel, ttl, next, hasPage }: ConnectForm): ModalView {
  return modal(
    'Connect the service',
    [
      section('Dropline uses one API account of your file-exchange service for this workspace.'),
      textField('baseUrl', 'Address of the service', {
        value: baseUrl,
        placeholder: 'https://files.example.com',
        hint: 'Without the account name.',
        maxLength: 500,
      }),
      textField('username', "The account's e-mail address", {
        value: username,
        placeholder: 'api@example.com',
        hint: 'An account of its own: what anybody else uploads to it stops your dispatches.',
        maxLength: 254,
      }),
      ...(hasPage ? [] : [keyField]),
      channelField('inboxChannel', 'Channel for incoming files', inboxChannel, {
        hint: 'New files are announced here. Invite me first: /invite @dropline. May be chosen later.',
        optional: true,
      }),
      choiceField('ttlUnit', 'What does a time to live count?', unitChoices, ttl.unit, {
        hint: 'The service does not say. Ask whoever runs it; with its own units no date is shown.',
      }),
      textField('ttlUsual', 'Usual time to live of a dispatch', { value: String(ttl.usual), maxLength: 10 }),
    ],
    {
      id: 'connect.form',
      submit: hasPage ? 'Next' : 'Test and connect',
      close: 'Cancel',
      metadata: connectMetadata.write(next === undefined ? {} : { next }),
    },
  );
}

export function connectedView(username: string): ModalView {
  return modal('Connected', [
    line('This workspace is connected to the file service as ', { bold: username }, '.'),
    note(
      'What is in its inbox already is announced once, as a summary. Type /drop help to see what people can do now.',
    ),
  ]);
}

export function keyPageView(url: string): ModalView {
  return modal('Enter the API key', [
    section('Enter the key on our page. The link works for you, once, for ten minutes.'),
    actions(button('Open the page', 'link.key', { url, style: 'primary' })),
    note('You will be told here, in a message from me, when the workspace is connected.'),
  ]);
}

export function notConnectedText(isAdmin: boolean): string {
  return isAdmin
    ? 'This workspace is not connected to a file service yet. Type /drop connect to do that.'
    : 'This workspace is not connected to a file service yet. Ask an admin of the workspace to type /drop connect.';
}

export function disconnectView(username: string): ModalView {
  const confirmDisconnect = confirmation(
    'Disconnect and forget everything?',
    'Credentials, settings, drafts, the ledger of inbox items and the audit of this workspace are removed for good.',
    'Disconnect',
    'Keep it',
  );
  return modal('Disconnect', [
    line('Connected as ', { bold: username }, '.'),
    section(
      'Dispatches that wait are stopped; one that is being sent is brought to its end. What Dropline uploaded is taken back. Contacts and history on the service stay as they are.',
    ),
    section('The audit is forgotten too. If you need it, export it first, and wait for the file.'),
    actions(
      button('Export the audit', 'audit.export'),
      button('Disconnect …', 'connect.leave', { style: 'danger', confirm: confirmDisconnect }),
    ),
  ]);
}
