import { menuValue } from '../../src/features/contacts/views.ts';
import type { WorkspaceIds } from './filled-workspace.ts';
import {
  attachedFiles,
  type Fields,
  selectedChannel,
  selectedChannels,
  selectedOption,
  selectedOptions,
  selectedPeople,
  typed,
} from './forgery.ts';

export interface Forgery {
  /** The forged values, made of ids of another workspace (`theirs`) and of the person's own (`ours`). */
  values?(theirs: WorkspaceIds, ours: WorkspaceIds): { value?: string; metadata?: string; fields?: Fields };
  /** The text that an admin gets for ids of another workspace. Without it, no admin tries this forgery. */
  reply?: string;
  /** The text that guests and strangers get, if it differs from the standard refusal. */
  outsiderReply?: string;
}

const goneAccount = "The account isn't connected any more.";
const goneFile = 'This file is no longer available';
const goneContact = 'This contact was changed or removed.';
const noContact = 'Contact not found.';
const goneGroup = 'Group not found';
const goneRecipient = "isn't in your contacts. Choose again.";
const goneTransfer = 'Transfer not found';
const notInChannel = "I'm not in this channel.";
const noInboxChannel = 'This is no inbox channel any more.';
const expired = 'This review has expired or was already confirmed.';

const id = (value: string) => JSON.stringify({ id: value });
const listMetadata = (more: object) => JSON.stringify({ query: '', page: 0, ...more });
const expiryFields = { expiryUnit: selectedOption('days'), expiryDefault: typed('7') };
const everyone = Object.fromEntries(
  ['senders', 'requesters', 'downloaders', 'contactEditors'].map((name) => [name, selectedOption('everyone')]),
);
const noPeople = { type: 'multi_users_select', selected_users: [] };
const noChannels = { type: 'multi_conversations_select', selected_conversations: [] };
const login = { baseUrl: typed('http://127.0.0.1:9'), username: typed('a@example.org'), apiKey: typed('k') };

/** Every button by action id. A `#` adds a variant with another value. */
export const clicks: Record<string, Forgery> = {
  'approval.decline': { values: ({ unapproved }) => ({ value: unapproved }), reply: goneTransfer },
  'approval.open': { values: ({ unapproved }) => ({ value: unapproved }), reply: goneTransfer },
  'approval.review': { values: ({ unapproved }) => ({ value: unapproved }), reply: goneTransfer },
  'audit.export': {},
  'audit.page': { values: () => ({ value: '9' }) },
  'connect.continue': { values: () => ({ value: 'contacts' }) },
  'connect.disconnect': {},
  'connect.open': {},
  'contacts.add': {},
  'contacts.again': { values: ({ edit }) => ({ value: edit }), reply: 'Email: ‹' },
  'contacts.all': {},
  'contacts.card': { values: ({ contact }) => ({ value: contact }), reply: noContact },
  'contacts.export': {},
  'contacts.group': { values: ({ group }) => ({ value: group }), reply: goneGroup },
  'contacts.groups': {},
  'contacts.groups-page': { values: () => ({ value: '0' }) },
  'contacts.import': {},
  'contacts.leave': {
    values: ({ group, version }) => ({ metadata: listMetadata({ group }), value: version }),
    reply: goneGroup,
  },
  'contacts.leave#member': {
    values: ({ version }, { group }) => ({ metadata: listMetadata({ group }), value: version }),
    reply: goneContact,
  },
  'contacts.members-page': {
    values: ({ group }) => ({ metadata: listMetadata({ group }), value: '0' }),
    reply: goneGroup,
  },
  'contacts.menu#edit': {
    values: ({ version }) => ({ value: menuValue.write({ entry: 'edit', version }) }),
    reply: goneContact,
  },
  'contacts.menu#groups': {
    values: ({ version }) => ({ value: menuValue.write({ entry: 'groups', version }) }),
    reply: goneContact,
  },
  'contacts.menu#open': {
    values: ({ contact }) => ({ value: menuValue.write({ entry: 'open', id: contact }) }),
    reply: noContact,
  },
  'contacts.menu#remove': {
    values: ({ version }) => ({ value: menuValue.write({ entry: 'remove', version }) }),
    reply: goneContact,
  },
  'contacts.new-group': {},
  'contacts.only-adds': {},
  'contacts.page': { values: () => ({ value: '0' }) },
  'contacts.request': { values: ({ contact }) => ({ value: contact }), reply: noContact },
  'contacts.send': { values: ({ contact }) => ({ value: contact }), reply: noContact },
  'desks.add': {},
  'desks.disconnect': { values: ({ desk }) => ({ value: desk }), reply: goneAccount },
  'desks.open': {},
  'desks.reconnect': { values: ({ desk }) => ({ value: desk }), reply: goneAccount },
  'desks.rename': { values: ({ desk }) => ({ value: desk }), reply: goneAccount },
  'files.unstage': { values: ({ file }) => ({ value: file }), reply: 'Files ready to send' },
  'files.remove': { values: ({ upload }) => ({ value: upload }), reply: 'Files ready to send' },
  'files.show': {},
  'help.run': { values: () => ({ value: 'send' }) },
  'history.detail': {
    values: ({ historyEntry }) => ({ value: historyEntry }),
    reply: "Transfer not found in the service's history.",
  },
  'history.page': { values: () => ({ value: '0' }) },
  'inbox.all': { values: ({ item }) => ({ value: JSON.stringify({ items: [item] }) }), reply: goneFile },
  'inbox.clean': {
    values: ({ item, itemFile }) => ({ value: JSON.stringify({ item, file: itemFile }) }),
    reply: goneFile,
  },
  'inbox.done': { values: ({ item }) => ({ value: item }), reply: goneFile },
  'inbox.download': {
    values: ({ item, itemFile }) => ({ value: JSON.stringify({ item, file: itemFile }) }),
    reply: goneFile,
  },
  'inbox.files': { values: ({ item }) => ({ value: item }), reply: goneFile },
  'inbox.files-page': {
    values: ({ item }) => ({ metadata: JSON.stringify({ page: 0, item }), value: '0' }),
    reply: goneFile,
  },
  'inbox.filter': { values: () => ({ value: 'new' }) },
  'inbox.filter#mine': { values: () => ({ value: 'mine' }) },
  'inbox.move': {},
  'inbox.move-from': { values: ({ channel }) => ({ value: channel }) },
  'inbox.open': {},
  'inbox.page': { values: () => ({ value: '0' }) },
  'inbox.refresh': {},
  'inbox.reopen': { values: ({ item }) => ({ value: item }), reply: goneFile },
  'inbox.take': { values: ({ item }) => ({ value: item }), reply: goneFile },
  'inbox.take-over': { values: ({ item }) => ({ value: item }), reply: goneFile },
  'pause.continue': { values: () => ({ value: '{"target":"sending","submit":"Send"}' }) },
  'pause.open': {},
  'pause.resume': { values: () => ({ value: '{"target":"sending"}' }) },
  'pause.start': { values: () => ({ value: '{"target":"sending"}' }) },
  'receipt.downloads': { values: ({ item }) => ({ value: item }), reply: goneFile },
  'receipt.transfer': { values: ({ queued }) => ({ value: queued }), reply: goneTransfer },
  'recipients.clear': {},
  'request.again': { values: ({ endedRequest }) => ({ value: endedRequest }), reply: goneTransfer },
  'request.back': { values: ({ reviewedRequest }) => ({ metadata: reviewedRequest }), reply: 'Request from:' },
  'request.cancel': { values: ({ queuedRequest }) => ({ value: queuedRequest }), reply: goneTransfer },
  'request.expiry': { values: () => ({ value: '7' }) },
  'request.now': {
    values: ({ queuedRequest }) => ({ value: queuedRequest }),
    reply: goneTransfer,
  },
  'request.open': {},
  'request.show': { values: ({ endedRequest }) => ({ value: endedRequest }), reply: goneTransfer },
  'request.tick': {
    values: ({ endedRequest }) => ({ value: JSON.stringify({ id: endedRequest, point: 0, isTicked: true }) }),
    reply: goneTransfer,
  },
  'request.undo': {
    values: ({ queuedRequest }) => ({ value: queuedRequest }),
    reply: goneTransfer,
  },
  'send.edit': { values: ({ stopped }) => ({ value: id(stopped) }), reply: goneTransfer },
  'send.again': { values: ({ stopped }) => ({ value: id(stopped) }), reply: goneTransfer },
  'send.ask': { values: ({ stopped }) => ({ value: id(stopped) }), reply: goneTransfer },
  'send.back': {
    values: ({ reviewId }) => ({ metadata: JSON.stringify({ review: reviewId }) }),
    reply: 'Send files',
  },
  'send.cancel': { values: ({ queued }) => ({ value: id(queued) }), reply: goneTransfer },
  'send.contact': {},
  'send.continue': { values: ({ queued }) => ({ value: id(queued) }), reply: goneTransfer },
  'send.details': { values: ({ stopped }) => ({ value: id(stopped) }), reply: goneTransfer },
  'send.dismiss': {},
  'send.now': { values: ({ queued }) => ({ value: id(queued) }), reply: goneTransfer },
  'send.undo': { values: ({ queued }) => ({ value: id(queued) }), reply: goneTransfer },
  'send.offer': {
    values: ({ file }) => ({ value: JSON.stringify({ files: [file] }) }),
    reply: 'A file of this message was deleted, or is in a conversation',
  },
  'send.expiry': { values: () => ({ value: '7' }) },
  'send.more#again': { values: ({ stopped }) => ({ value: `again ${stopped}` }), reply: goneTransfer },
  'send.more#others': { values: ({ stopped }) => ({ value: `others ${stopped}` }), reply: goneTransfer },
  'send.open': {},
  'send.others': { values: ({ stopped }) => ({ value: id(stopped) }), reply: goneTransfer },
  'send.unstage': {
    values: ({ file }) => ({ metadata: JSON.stringify({ files: [file] }), value: file }),
    reply: 'A file of this message was deleted, or is in a conversation',
  },
  'send.remove': {
    values: ({ stopped }) => ({ value: id(stopped) }),
    reply: 'No transfer is blocked by unexpected files.',
  },
  'settings.channel': { values: ({ channel }) => ({ value: channel }), reply: noInboxChannel },
  'settings.channel-add': {},
  'settings.channel-remove': { values: ({ channel }) => ({ value: channel }), reply: noInboxChannel },
  'settings.channels': {},
  'settings.open': { values: () => ({ value: 'people' }) },
  'settings.person': { values: ({ person }) => ({ value: person }), reply: "can't use Dropline: has left" },
  'settings.remove-person': {
    values: ({ person }) => ({ value: person }),
    reply: 'The settings no longer name this person.',
  },
  'settings.rights': {},
  'status.cancel': { values: ({ queued }) => ({ value: queued }), reply: goneTransfer },
  'status.clear-files': {},
  'status.clear-recipients': {},
  'status.release': { values: ({ stopped }) => ({ value: stopped }), reply: 'Something else is on hold now.' },
  'status.resume': {},
};

/** Every form by callback id. */
export const forms: Record<string, Forgery> = {
  'approval.decline': {
    values: ({ unapproved }) => ({ metadata: id(unapproved), fields: { reason: typed('No') } }),
    reply: goneTransfer,
  },
  'approval.review': { values: ({ unapproved }) => ({ metadata: id(unapproved) }), reply: goneTransfer },
  'audit.form': {},
  'connect.form': {
    values: ({ channel }) => ({ fields: { ...login, ...expiryFields, inboxChannel: selectedChannel(channel) } }),
    reply: notInChannel,
  },
  'contacts.add': {
    values: ({ group }) => ({ fields: { email: typed('new@example.org'), knownGroups: selectedOptions(group) } }),
    reply: goneRecipient,
  },
  'contacts.edit': {
    values: ({ version }) => ({ metadata: listMetadata({ contact: version }), fields: { nick: typed('Changed') } }),
    reply: goneContact,
  },
  'contacts.import': { values: ({ file }) => ({ fields: { file: attachedFiles(file) } }) },
  'contacts.import-now': {
    values: ({ imported }) => ({ metadata: listMetadata({ import: imported }) }),
    reply: 'This import has expired or was already done.',
  },
  'contacts.join': {
    values: ({ group, contact }) => ({
      metadata: listMetadata({ group }),
      fields: { members: selectedOptions(contact) },
    }),
    reply: goneGroup,
  },
  'contacts.join#member': {
    values: ({ contact }, { group }) => ({
      metadata: listMetadata({ group }),
      fields: { members: selectedOptions(contact) },
    }),
    reply: goneRecipient,
  },
  'contacts.list': {},
  'contacts.new-group': {
    values: ({ contact }) => ({ fields: { group: typed('New'), members: selectedOptions(contact) } }),
    reply: goneRecipient,
  },
  'contacts.remove': {
    values: ({ version }) => ({ metadata: listMetadata({ contact: version }) }),
    reply: goneContact,
  },
  'desks.rename': { values: ({ desk }) => ({ metadata: desk, fields: { desk: typed('New') } }), reply: goneAccount },
  'history.form': {},
  'inbox.form': {},
  'inbox.move': {
    values: ({ channel }) => ({
      metadata: JSON.stringify({ from: 'admins' }),
      fields: { channel: selectedChannel(channel) },
    }),
    reply: notInChannel,
  },
  'inbox.move#from': {
    values: ({ channel }) => ({
      metadata: JSON.stringify({ from: channel }),
      fields: { channel: selectedChannel(channel) },
    }),
    reply: 'There are no files to move.',
  },
  'inbox.take-over': {
    values: ({ item, person }) => ({ metadata: JSON.stringify({ item, holder: person }) }),
    reply: goneFile,
  },
  'pause.form': {
    values: () => ({ metadata: JSON.stringify({ target: 'sending' }), fields: { reason: typed('Now') } }),
  },
  'recipients.form': {
    values: ({ contact }) => ({ fields: { recipients: selectedOptions(contact) } }),
    reply: goneRecipient,
  },
  'request.confirm': { values: ({ reviewedRequest }) => ({ metadata: reviewedRequest }), reply: expired },
  'request.form': {
    values: ({ contact }) => ({
      fields: { recipients: selectedOptions(contact), expiresAfter: typed('7'), message: typed('Please') },
    }),
    reply: goneRecipient,
  },
  'request.form#repeats': {
    values: ({ endedRequest }, { contact }) => ({
      metadata: JSON.stringify({ repeats: endedRequest }),
      fields: { recipients: selectedOptions(contact), expiresAfter: typed('7'), message: typed('Please') },
    }),
    reply: goneTransfer,
  },
  'send.confirm': {
    values: ({ reviewId }) => ({ metadata: JSON.stringify({ review: reviewId }) }),
    reply: 'This review has expired.',
  },
  'send.form': {
    values: ({ contact, file }) => ({
      metadata: JSON.stringify({ files: [file] }),
      fields: { recipients: selectedOptions(contact), staged: selectedOptions(file), expiresAfter: typed('7') },
    }),
    reply: goneRecipient,
  },
  'send.form#file': {
    values: ({ file }, { contact }) => ({
      metadata: JSON.stringify({ files: [file] }),
      fields: { recipients: selectedOptions(contact), staged: selectedOptions(file), expiresAfter: typed('7') },
    }),
    reply: 'No longer in Slack:',
  },
  'settings.approval': {
    values: () => ({ fields: { approvalSenders: noPeople, approvalSendersChannels: noChannels } }),
  },
  'settings.approvers': {
    values: ({ person }) => ({ fields: { approvers: selectedPeople(person), approversChannels: noChannels } }),
    reply: "can't use Dropline: guests, bots and people from other organisations have no access.",
  },
  'settings.approvers#channel': {
    values: ({ channel }) => ({ fields: { approvers: noPeople, approversChannels: selectedChannels(channel) } }),
    reply: notInChannel,
  },
  'settings.channel': {
    values: ({ channel }) => ({ fields: { channel: selectedChannel(channel), senders: typed('x@example.org') } }),
    reply: notInChannel,
  },
  'settings.channel#change': {
    values: ({ channel }) => ({
      metadata: JSON.stringify({ replaces: channel, seen: '' }),
      fields: { senders: typed('x@example.org') },
    }),
    reply: 'This inbox channel was changed or removed by someone else.',
  },
  'settings.delivery': { values: () => ({ fields: { delivery: selectedOption('thread') } }) },
  'settings.people': {
    values: ({ person }) => ({ fields: { ...everyone, admins: selectedPeople(person), adminsChannels: noChannels } }),
    reply: "can't use Dropline: guests, bots and people from other organisations have no access.",
  },
  'settings.files': {
    values: () => ({ fields: { fileTypes: selectedOption('any'), unscanned: selectedOption('note') } }),
  },
  'settings.requests': {},
  'settings.expiry': { values: () => ({ fields: expiryFields }) },
  'settings.sending': {
    values: ({ channel }) => ({ fields: { watchedChannels: selectedChannels(channel) } }),
    reply: notInChannel,
  },
  'settings.turn-off': {
    values: () => ({ metadata: JSON.stringify({ draft: 'x' }) }),
    reply: 'This page has expired, and nothing was saved.',
  },
  'settings.service': {
    values: () => ({ fields: { requests: selectedOption('false'), contactsOnlyAdd: selectedOption('true') } }),
  },
};

/** Action and callback ids without a forgery: they only show the current state. */
export const readOnly = ['contacts.outcome', 'help.show', 'home.refresh', 'recipients.contact', 'request.contact'];
