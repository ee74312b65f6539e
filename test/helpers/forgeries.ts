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
import type { Furnished } from './furnished.ts';

export interface Forgery {
  /** What it carries: ids of a workspace, possibly another one, next to ids of the own workspace. */
  carries?(theirs: Furnished, ours: Furnished): { value?: string; metadata?: string; fields?: Fields };
  /** The text that an admin gets for ids of another workspace; absent if it carries none. */
  reads?: string;
  /** The text that guests and strangers get, if it is not the usual refusal. */
  outsiderReads?: string;
}

const goneFile = 'This file is not there any more';
const goneContact = 'This contact was changed or removed meanwhile.';
const goneGroup = 'This group is not there any more';
const goneRecipient = 'Somebody here is not among the contacts any more.';
const goneTransfer = 'There is no such dispatch';
const notIn = 'I am not in this channel.';
const expired = 'This has expired or was confirmed before.';

const id = (value: string) => JSON.stringify({ id: value });
const place = (more: object) => JSON.stringify({ query: '', page: 0, ...more });
const times = { ttlUnit: chosen('days'), ttlUsual: typed('7') };
const everyone = Object.fromEntries(
  ['send', 'request', 'download', 'contacts'].map((name) => [name, chosen('everyone')]),
);
const login = { baseUrl: typed('http://127.0.0.1:9'), username: typed('a@example.org'), apiKey: typed('k') };

/** Every button, and after a `#` another variant of its value. */
export const clicks: Record<string, Forgery> = {
  'audit.export': {},
  'audit.page': { carries: () => ({ value: '9' }) },
  'connect.goOn': { carries: () => ({ value: 'contacts' }) },
  'connect.leave': {},
  'connect.open': {},
  'contacts.add': {},
  'contacts.again': { carries: ({ edit }) => ({ value: edit }), reads: 'E-mail address: ‹' },
  'contacts.all': {},
  'contacts.export': {},
  'contacts.group': { carries: ({ group }) => ({ value: group }), reads: goneGroup },
  'contacts.groups': {},
  'contacts.groupsPage': { carries: () => ({ value: '0' }) },
  'contacts.import': {},
  'contacts.leave': {
    carries: ({ group, version }) => ({ metadata: place({ group }), value: version }),
    reads: goneGroup,
  },
  'contacts.leave#member': {
    carries: ({ version }, { group }) => ({ metadata: place({ group }), value: version }),
    reads: goneContact,
  },
  'contacts.membersPage': {
    carries: ({ group }) => ({ metadata: place({ group }), value: '0' }),
    reads: goneGroup,
  },
  'contacts.menu#edit': { carries: ({ version }) => ({ value: `edit ${version}` }), reads: goneContact },
  'contacts.menu#groups': { carries: ({ version }) => ({ value: `groups ${version}` }), reads: goneContact },
  'contacts.menu#remove': { carries: ({ version }) => ({ value: `remove ${version}` }), reads: goneContact },
  'contacts.newGroup': {},
  'contacts.onlyAdds': {},
  'contacts.page': { carries: () => ({ value: '0' }) },
  'files.out': { carries: ({ file }) => ({ value: file }), reads: 'Put aside for your next dispatch' },
  'files.remove': { carries: ({ upload }) => ({ value: upload }), reads: 'Put aside for your next dispatch' },
  'files.show': {},
  'help.run': { carries: () => ({ value: 'send' }) },
  'history.detail': {
    carries: ({ drop }) => ({ value: drop }),
    reads: 'The service has no such dispatch in its history.',
  },
  'history.page': { carries: () => ({ value: '0' }) },
  'inbox.download': {
    carries: ({ item, itemFile }) => ({ value: JSON.stringify({ item, file: itemFile }) }),
    reads: goneFile,
  },
  'inbox.files': { carries: ({ item }) => ({ value: item }), reads: goneFile },
  'inbox.files-page': {
    carries: ({ item }) => ({ metadata: JSON.stringify({ page: 0, item }), value: '0' }),
    reads: goneFile,
  },
  'inbox.open': {},
  'inbox.page': { carries: () => ({ value: '0' }) },
  'receivers.clear': {},
  'request.cancel': { carries: ({ asked }) => ({ value: asked }), reads: goneTransfer },
  'request.open': {},
  'send.again': {
    carries: ({ stopped }) => ({ value: id(stopped) }),
    reads: goneTransfer,
    outsiderReads: goneTransfer,
  },
  'send.ask': { carries: ({ stopped }) => ({ value: id(stopped) }), reads: goneTransfer, outsiderReads: goneTransfer },
  'send.cancel': { carries: ({ waiting }) => ({ value: id(waiting) }), reads: goneTransfer },
  'send.open': {},
  'send.out': {
    carries: ({ file }) => ({ metadata: JSON.stringify({ files: [file] }), value: file }),
    reads: 'A file of this message was deleted, or is in a conversation that I am not in',
  },
  'send.remove': {
    carries: ({ stopped }) => ({ value: id(stopped) }),
    reads: 'No dispatch waits for foreign files to be removed.',
  },
  'settings.open': { carries: () => ({ value: 'people' }) },
  'settings.overview': {},
  'settings.route-new': {},
  'settings.route-remove': { carries: ({ route }) => ({ value: route }), reads: 'This route is not there any more.' },
  'status.clear-files': {},
  'status.clear-receivers': {},
  'status.release': { carries: ({ stopped }) => ({ value: stopped }), reads: 'Something else is on hold now.' },
  'status.resume': {},
};

/** Every form. */
export const forms: Record<string, Forgery> = {
  'audit.form': {},
  'connect.form': {
    carries: ({ channel }) => ({ fields: { ...login, ...times, inboxChannel: channelChosen(channel) } }),
    reads: notIn,
  },
  'contacts.add': {
    carries: ({ group }) => ({ fields: { email: typed('new@example.org'), knownGroups: severalChosen(group) } }),
    reads: goneRecipient,
  },
  'contacts.edit': {
    carries: ({ version }) => ({ metadata: place({ contact: version }), fields: { nick: typed('Changed') } }),
    reads: goneContact,
  },
  'contacts.import': { carries: ({ file }) => ({ fields: { file: filesAttached(file) } }) },
  'contacts.importNow': {
    carries: ({ imported }) => ({ metadata: place({ import: imported }) }),
    reads: 'This table was imported or is too old.',
  },
  'contacts.join': {
    carries: ({ group, contact }) => ({ metadata: place({ group }), fields: { members: severalChosen(contact) } }),
    reads: goneGroup,
  },
  'contacts.join#member': {
    carries: ({ contact }, { group }) => ({ metadata: place({ group }), fields: { members: severalChosen(contact) } }),
    reads: goneRecipient,
  },
  'contacts.list': {},
  'contacts.newGroup': {
    carries: ({ contact }) => ({ fields: { group: typed('New'), members: severalChosen(contact) } }),
    reads: goneRecipient,
  },
  'contacts.remove': { carries: ({ version }) => ({ metadata: place({ contact: version }) }), reads: goneContact },
  'history.form': {},
  'receivers.form': {
    carries: ({ contact }) => ({ fields: { receivers: severalChosen(contact) } }),
    reads: goneRecipient,
  },
  'request.confirm': { carries: ({ shown }) => ({ metadata: shown }), reads: expired },
  'request.form': {
    carries: ({ contact }) => ({
      fields: { receivers: severalChosen(contact), timeToLive: typed('7'), message: typed('Please') },
    }),
    reads: goneRecipient,
  },
  'send.confirm': {
    carries: ({ confirmation }) => ({ metadata: JSON.stringify({ confirmation }) }),
    reads: 'This confirmation has expired.',
  },
  'send.form': {
    carries: ({ contact, file }) => ({
      metadata: JSON.stringify({ files: [file] }),
      fields: { receivers: severalChosen(contact), tray: severalChosen(file), timeToLive: typed('7') },
    }),
    reads: goneRecipient,
  },
  'send.form#file': {
    carries: ({ file }, { contact }) => ({
      metadata: JSON.stringify({ files: [file] }),
      fields: { receivers: severalChosen(contact), tray: severalChosen(file), timeToLive: typed('7') },
    }),
    reads: 'Not in Slack any more:',
  },
  'settings.inbox': {
    carries: ({ channel }) => ({ fields: { inboxChannel: channelChosen(channel), delivery: chosen('thread') } }),
    reads: notIn,
  },
  'settings.people': {
    carries: ({ person }) => ({ fields: { ...everyone, admins: peopleChosen(person) } }),
    reads: 'One of these people is a guest, a bot or of another organisation',
  },
  'settings.route': {
    carries: ({ channel }) => ({ fields: { from: typed('x@example.org'), channel: channelChosen(channel) } }),
    reads: notIn,
  },
  'settings.sending': {
    carries: ({ channel }) => ({ fields: { ...times, watchedChannels: channelsChosen(channel) } }),
    reads: notIn,
  },
  'settings.service': { carries: () => ({ fields: { requests: chosen('off'), contactsOnlyAdd: chosen('adds') } }) },
};

/** These only show the current state; guests get a refusal. */
export const harmless = ['contacts.outcome', 'help.show', 'home.refresh'];
