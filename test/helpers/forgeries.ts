import type { WorkspaceIds } from './filled-workspace.ts';
import {
  channelChosen,
  channelsChosen,
  chosen,
  type Fields,
  filesAttached,
  peopleChosen,
  severalChosen,
  typed,
} from './forgery.ts';

export interface Forgery {
  /** The forged values, made of ids of another workspace (`theirs`) and of the person's own (`ours`). */
  values?(theirs: WorkspaceIds, ours: WorkspaceIds): { value?: string; metadata?: string; fields?: Fields };
  /** The text that an admin gets for ids of another workspace; absent if the values contain none. */
  reply?: string;
  /** The text that guests and strangers get, if it differs from the standard refusal. */
  outsiderReply?: string;
}

const goneFile = 'This file is no longer available';
const goneContact = 'This contact was changed or removed.';
const goneGroup = 'Group not found';
const goneRecipient = "isn't in your contacts. Choose again.";
const goneTransfer = 'Transfer not found';
const notInChannel = "I'm not in this channel.";
const expired = 'This review has expired or was already confirmed.';

const id = (value: string) => JSON.stringify({ id: value });
const listMetadata = (more: object) => JSON.stringify({ query: '', page: 0, ...more });
const expiryFields = { ttlUnit: chosen('days'), ttlUsual: typed('7') };
const everyone = Object.fromEntries(
  ['send', 'request', 'download', 'contacts'].map((name) => [name, chosen('everyone')]),
);
const login = { baseUrl: typed('http://127.0.0.1:9'), username: typed('a@example.org'), apiKey: typed('k') };

/** Every button by action id. A `#` adds a variant with another value. */
export const clicks: Record<string, Forgery> = {
  'approval.decline': { values: ({ unapproved }) => ({ value: unapproved }), reply: goneTransfer },
  'approval.edit': { values: ({ stopped }) => ({ value: stopped }), reply: goneTransfer, outsiderReply: goneTransfer },
  'approval.review': { values: ({ unapproved }) => ({ value: unapproved }), reply: goneTransfer },
  'audit.export': {},
  'audit.page': { values: () => ({ value: '9' }) },
  'connect.goOn': { values: () => ({ value: 'contacts' }) },
  'connect.leave': {},
  'connect.open': {},
  'contacts.add': {},
  'contacts.again': { values: ({ edit }) => ({ value: edit }), reply: 'Email: ‹' },
  'contacts.all': {},
  'contacts.export': {},
  'contacts.group': { values: ({ group }) => ({ value: group }), reply: goneGroup },
  'contacts.groups': {},
  'contacts.groupsPage': { values: () => ({ value: '0' }) },
  'contacts.import': {},
  'contacts.leave': {
    values: ({ group, version }) => ({ metadata: listMetadata({ group }), value: version }),
    reply: goneGroup,
  },
  'contacts.leave#member': {
    values: ({ version }, { group }) => ({ metadata: listMetadata({ group }), value: version }),
    reply: goneContact,
  },
  'contacts.membersPage': {
    values: ({ group }) => ({ metadata: listMetadata({ group }), value: '0' }),
    reply: goneGroup,
  },
  'contacts.menu#edit': { values: ({ version }) => ({ value: `edit ${version}` }), reply: goneContact },
  'contacts.menu#groups': { values: ({ version }) => ({ value: `groups ${version}` }), reply: goneContact },
  'contacts.menu#remove': { values: ({ version }) => ({ value: `remove ${version}` }), reply: goneContact },
  'contacts.newGroup': {},
  'contacts.onlyAdds': {},
  'contacts.page': { values: () => ({ value: '0' }) },
  'files.out': { values: ({ file }) => ({ value: file }), reply: 'Files ready to send' },
  'files.remove': { values: ({ upload }) => ({ value: upload }), reply: 'Files ready to send' },
  'files.show': {},
  'help.run': { values: () => ({ value: 'send' }) },
  'history.detail': {
    values: ({ drop }) => ({ value: drop }),
    reply: "Transfer not found in the service's history.",
  },
  'history.page': { values: () => ({ value: '0' }) },
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
  'inbox.open': {},
  'inbox.page': { values: () => ({ value: '0' }) },
  'inbox.refresh': {},
  'receivers.clear': {},
  'request.back': { values: ({ reviewedRequest }) => ({ metadata: reviewedRequest }), reply: 'Request from:' },
  'request.cancel': { values: ({ queuedRequest }) => ({ value: queuedRequest }), reply: goneTransfer },
  'request.expiry': { values: () => ({ value: '7' }) },
  'request.open': {},
  'send.again': {
    values: ({ stopped }) => ({ value: id(stopped) }),
    reply: goneTransfer,
    outsiderReply: goneTransfer,
  },
  'send.ask': { values: ({ stopped }) => ({ value: id(stopped) }), reply: goneTransfer, outsiderReply: goneTransfer },
  'send.back': {
    values: ({ confirmation }) => ({ metadata: JSON.stringify({ confirmation }) }),
    reply: 'Send files',
  },
  'send.cancel': { values: ({ queued }) => ({ value: id(queued) }), reply: goneTransfer },
  'send.contact': {},
  'send.details': { values: ({ stopped }) => ({ value: id(stopped) }), reply: goneTransfer },
  'send.dismiss': {},
  'send.offer': {
    values: ({ file }) => ({ value: JSON.stringify({ files: [file] }) }),
    reply: 'A file of this message was deleted, or is in a conversation',
  },
  'send.expiry': { values: () => ({ value: '7' }) },
  'send.open': {},
  'send.out': {
    values: ({ file }) => ({ metadata: JSON.stringify({ files: [file] }), value: file }),
    reply: 'A file of this message was deleted, or is in a conversation',
  },
  'send.remove': {
    values: ({ stopped }) => ({ value: id(stopped) }),
    reply: 'No transfer is blocked by unexpected files.',
  },
  'settings.approval': {},
  'settings.open': { values: () => ({ value: 'people' }) },
  'settings.overview': {},
  'settings.route-new': {},
  'settings.route-remove': { values: ({ route }) => ({ value: route }), reply: 'Route not found.' },
  'status.clear-files': {},
  'status.clear-receivers': {},
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
    values: ({ channel }) => ({ fields: { ...login, ...expiryFields, inboxChannel: channelChosen(channel) } }),
    reply: notInChannel,
  },
  'contacts.add': {
    values: ({ group }) => ({ fields: { email: typed('new@example.org'), knownGroups: severalChosen(group) } }),
    reply: goneRecipient,
  },
  'contacts.edit': {
    values: ({ version }) => ({ metadata: listMetadata({ contact: version }), fields: { nick: typed('Changed') } }),
    reply: goneContact,
  },
  'contacts.import': { values: ({ file }) => ({ fields: { file: filesAttached(file) } }) },
  'contacts.importNow': {
    values: ({ imported }) => ({ metadata: listMetadata({ import: imported }) }),
    reply: 'This import has expired or was already done.',
  },
  'contacts.join': {
    values: ({ group, contact }) => ({
      metadata: listMetadata({ group }),
      fields: { members: severalChosen(contact) },
    }),
    reply: goneGroup,
  },
  'contacts.join#member': {
    values: ({ contact }, { group }) => ({
      metadata: listMetadata({ group }),
      fields: { members: severalChosen(contact) },
    }),
    reply: goneRecipient,
  },
  'contacts.list': {},
  'contacts.newGroup': {
    values: ({ contact }) => ({ fields: { group: typed('New'), members: severalChosen(contact) } }),
    reply: goneRecipient,
  },
  'contacts.remove': {
    values: ({ version }) => ({ metadata: listMetadata({ contact: version }) }),
    reply: goneContact,
  },
  'history.form': {},
  'receivers.form': {
    values: ({ contact }) => ({ fields: { receivers: severalChosen(contact) } }),
    reply: goneRecipient,
  },
  'request.confirm': { values: ({ reviewedRequest }) => ({ metadata: reviewedRequest }), reply: expired },
  'request.form': {
    values: ({ contact }) => ({
      fields: { receivers: severalChosen(contact), timeToLive: typed('7'), message: typed('Please') },
    }),
    reply: goneRecipient,
  },
  'send.confirm': {
    values: ({ confirmation }) => ({ metadata: JSON.stringify({ confirmation }) }),
    reply: 'This review has expired.',
  },
  'send.form': {
    values: ({ contact, file }) => ({
      metadata: JSON.stringify({ files: [file] }),
      fields: { receivers: severalChosen(contact), tray: severalChosen(file), timeToLive: typed('7') },
    }),
    reply: goneRecipient,
  },
  'send.form#file': {
    values: ({ file }, { contact }) => ({
      metadata: JSON.stringify({ files: [file] }),
      fields: { receivers: severalChosen(contact), tray: severalChosen(file), timeToLive: typed('7') },
    }),
    reply: 'No longer in Slack:',
  },
  'settings.approval': {
    values: ({ person }) => ({ fields: { approvers: peopleChosen(person) } }),
    reply: "Guests, bots and people from other organisations can't use Dropline. Remove",
  },
  'settings.inbox': {
    values: ({ channel }) => ({ fields: { inboxChannel: channelChosen(channel), delivery: chosen('thread') } }),
    reply: notInChannel,
  },
  'settings.people': {
    values: ({ person }) => ({ fields: { ...everyone, admins: peopleChosen(person) } }),
    reply: "can't use Dropline: guests, bots and people from other organisations have no access.",
  },
  'settings.policies': { values: () => ({ fields: { fileTypes: chosen('any'), unscanned: chosen('note') } }) },
  'settings.route': {
    values: ({ channel }) => ({ fields: { from: typed('x@example.org'), channel: channelChosen(channel) } }),
    reply: notInChannel,
  },
  'settings.sending': {
    values: ({ channel }) => ({ fields: { ...expiryFields, watchedChannels: channelsChosen(channel) } }),
    reply: notInChannel,
  },
  'settings.service': { values: () => ({ fields: { requests: chosen('off'), contactsOnlyAdd: chosen('adds') } }) },
};

/** These only show the current state; guests get a refusal. */
export const readOnly = ['contacts.outcome', 'help.show', 'home.refresh'];
