import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { actions, type Blocks, button, confirmation, line, note, section, textField } from '../../../slack/blocks.ts';
import { codec } from '../../../slack/metadata.ts';
import { channelField, inviteHint, readersHint } from '../../../slack/pickers.ts';
import { modal } from '../../../slack/views.ts';
import { fieldsOf } from '../../settings/pages/fields.ts';
import type { ExpiryUnit } from '../../settings/repository.ts';

/** Longer commands aren't continued after connecting: the person types them again. */
export const maxCommandChars = 1_000;

/** `next`: the command that was interrupted because the workspace wasn't connected. */
export const connectMetadata = codec(
  'connect form',
  z.object({ next: z.string().max(maxCommandChars).optional(), isAnother: z.literal(true).optional() }),
);

export interface ConnectForm {
  baseUrl?: string;
  username?: string;
  inboxChannel?: string;
  /** Undefined the first time, so that the admin has to choose. */
  unit?: ExpiryUnit;
  next?: string;
  /** Whether it connects another account, and not the workspace's first or one that is connected. */
  isAnother?: boolean;
  desk?: string;
  /** The key is entered on Dropline's own page, so that Slack never sees it. */
  hasPage: boolean;
}

const keyField = textField('apiKey', 'API key', {
  hint: 'Slack can see this value. Dropline encrypts it and never shows it again.',
  maxLength: 1_000,
});

export function connectView(form: ConnectForm): ModalView {
  const { baseUrl, username, inboxChannel, unit, next, hasPage, isAnother = false, desk } = form;
  return modal(
    'Connect Dropline',
    [
      ...(isAnother ? anotherBlocks(desk) : [section(oneAccountText)]),
      textField('baseUrl', 'Service URL', {
        value: baseUrl,
        placeholder: 'https://files.example.com',
        hint: "The service's address without the account email, like https://files.example.com.",
        maxLength: 500,
      }),
      textField('username', 'Account email', {
        value: username,
        placeholder: 'api@example.com',
        hint: "Use an account that only Dropline uses. If anyone else uploads files to it, nothing can be sent until they're deleted.",
        maxLength: 254,
      }),
      ...(hasPage ? [] : [keyField]),
      channelField('inboxChannel', 'Channel for incoming files', inboxChannel, {
        hint: isAnother ? deskChannelHint : channelHint,
        optional: !isAnother,
      }),
      ...fieldsOf('expiryUnit', unit),
    ],
    {
      id: 'connect.form',
      submit: hasPage ? 'Next' : 'Test and connect',
      close: 'Cancel',
      metadata: connectMetadata.write({ next, isAnother: isAnother || undefined }),
    },
  );
}

const oneAccountText = 'Dropline uses one API account of your file-exchange service for this workspace.';
const channelHint = `New files are posted here. ${readersHint} ${inviteHint} If empty, I notify you in a direct message.`;
const deskChannelHint = `New files are posted here. If the channel is private, only its members can use this desk. ${inviteHint}`;

const anotherBlocks = (desk: string | undefined): Blocks => [
  section(
    'A desk is an account with its own contacts, channels and settings, for example of a department. People choose the desk that they send from.',
  ),
  note(
    'The account that is connected becomes a desk too: if its files go to a private channel, only its members can use it.',
  ),
  textField('desk', 'Name', { value: desk, placeholder: 'Legal', maxLength: 40 }),
];

/** Ends the connect dialog, also when the key was entered on the page. `next`: the command that was interrupted. */
export function connectedView(username: string, next?: string): ModalView {
  return modal('Connected', connectedBlocks(username, next));
}

/** What was connected, and what to do next. */
export function connectedBlocks(username: string, next?: string): Blocks {
  return [
    line('Connected to the file service as ', { bold: username }, '.'),
    actions(
      next === undefined
        ? button('Send files', 'help.run#send', { value: 'send', style: 'primary' })
        : button(`Continue with /drop ${next}`, 'connect.continue', { value: next, style: 'primary' }),
      button('Help', 'help.show'),
    ),
  ];
}

export const connectedText = (username: string) => `Connected to the file service as ${username}.`;

/** `code`: what the page asks for; undefined if it asks the admin to sign in with Slack. */
/** @param isAnother whether the form connects another account */
export function keyPageView(
  url: string,
  { code, next, isAnother = false }: { code?: string; next?: string; isAnother?: boolean },
): ModalView {
  return modal('Enter the API key', [
    section('Enter the key on a secure page. The link works once, for ten minutes, and only for you.'),
    ...(code === undefined
      ? []
      : [line('Code: ', { bold: code }), note("The page asks for the code. Don't share it.")]),
    actions(
      button('Open page', 'link.key', { url, style: 'primary' }),
      button('Change URL or account', isAnother ? 'desks.add' : 'connect.open', { value: next }),
    ),
    note("I'll let you know here when the workspace is connected."),
  ]);
}

export function notConnectedText(isAdmin: boolean): string {
  return isAdmin
    ? "This workspace isn't connected to a file service yet. Type /drop connect to connect it."
    : "This workspace isn't connected to a file service yet. Ask a workspace admin to type /drop connect.";
}

/** @param key of the account, if the workspace has several */
/** @param key of the account. `hasOthers`: other accounts stay connected. */
export function disconnectView(username: string, key?: string, hasOthers = false): ModalView {
  const confirmDisconnect = confirmation(
    'Disconnect and delete data?',
    !hasOthers
      ? 'Credentials, settings, drafts, inbox records and details of transfers are permanently deleted. The audit log is kept.'
      : 'Credentials, settings, inbox records and details of transfers of this desk are permanently deleted. The audit log is kept.',
    'Disconnect',
    'Cancel',
  );
  return modal('Disconnect', [
    line('Connected as ', { bold: username }, '.'),
    section(
      "Queued transfers are cancelled; active ones finish. Leftover uploads are deleted. Contacts and history on the service don't change.",
    ),
    ...(hasOthers ? [section('The other desks stay as they are.')] : []),
    section(
      'Credentials, settings, drafts and inbox records are deleted. The audit log is kept as long as set now: workspace admins read it with /drop audit. Uninstalling the app deletes it too.',
    ),
    actions(
      button('Export audit log', 'audit.export'),
      button('Disconnect…', 'connect.disconnect', { value: key, style: 'danger', confirm: confirmDisconnect }),
    ),
  ]);
}
