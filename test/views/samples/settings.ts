import { adminNoticeContent } from '../../../src/features/settings/admins/notify.ts';
import { turnedOff } from '../../../src/features/settings/changes.ts';
import { channelForm } from '../../../src/features/settings/channels/form.ts';
import { channelsView } from '../../../src/features/settings/channels/views.ts';
import { newChannel } from '../../../src/features/settings/inbox-channels.ts';
import { requestsForm, settingsForm, turnOffView } from '../../../src/features/settings/pages/form.ts';
import { personView } from '../../../src/features/settings/pages/people.ts';
import { accessOf, type Facts } from '../../../src/features/settings/permission.ts';
import { defaultSettings, type Settings } from '../../../src/features/settings/repository.ts';
import { pageNames, settingNames } from '../../../src/features/settings/table/definitions.ts';
import { overviewView, requestsOnView } from '../../../src/features/settings/views.ts';
import { weakenings } from '../../../src/features/settings/weakening.ts';
import { inboxChannel } from '../../helpers/inbox-channels.ts';
import { hostileTexts, type Samples } from '../hostile-texts.ts';

const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const people = Array.from({ length: 60 }, (_, number) => `U${String(number).padStart(10, '0')}`);
const channels = people.map((id) => id.replace('U', 'C'));
const longest = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.se`;
const longestZone = 'America/Argentina/ComodRivadavia';
const full: Settings = {
  ...defaultSettings,
  inboxChannels: channels.slice(0, 40).map((channel, number) => ({
    channel,
    senders: Array.from({ length: 14 }, (_, sender) => `${number}-${sender}${longest}`),
    everythingElse: number === 0,
    posts: 'day',
    hour: 23,
    zone: longestZone,
    takeAndDone: true,
    delivery: 'link',
    reminderDays: 2,
  })),
  admins: [...people, ...channels.slice(0, 5)],
  senders: [...people, ...channels.slice(0, 5)],
  requesters: people,
  downloaders: people,
  contactEditors: people,
  expiryUnit: 'days',
  expiryDefault: 7,
  expiryLongest: 30,
  undoSeconds: 300,
  message: hostileTexts.huge?.slice(0, 3_000) ?? '',
  recipientDomains: Array.from({ length: 300 }, (_, number) => `domain${number}.example.com`),
  watchedChannels: channels,
  delivery: 'link',
  requests: true,
  contactsOnlyAdd: true,
  fileTypes: 'block',
  extensions: Array.from({ length: 200 }, (_, number) => `extension${number}`.padEnd(16, 'x')),
  maxFileMb: 1_000_000,
  maxTotalMb: 1_000_000,
  unscanned: 'note',
  approvalRules: ['every', 'newRecipients', 'requests'],
  approvalDomains: Array.from({ length: 200 }, (_, number) => `domain${number}.example`),
  approvalRecipients: 999_999_999,
  approvalMb: 1_000_000,
  approvalTypes: Array.from({ length: 200 }, (_, number) => `extension${number}`.padEnd(16, 'x')),
  approvalSenders: people,
  approvers: [...people.slice(0, 15), ...channels.slice(0, 5)],
  approvalDays: 30,
  changed: Object.fromEntries(
    settingNames.map((name, number) => [name, { by: people[number % 7] ?? '', at: 1e12 + (number % 7) }]),
  ),
};
const atFirst = { hasLinks: false, scanner: { hasScanner: false, isRequired: false } };
const context = { hasLinks: true, scanner: { hasScanner: true, isRequired: true } };

const forPartner = inboxChannel('C0123456780', { senders: ['partner.example'], takeAndDone: true });
const everyday: Settings = {
  ...defaultSettings,
  inboxChannels: [forPartner, inboxChannel('C0123456789', { posts: 'day', zone: 'Europe/Stockholm' })],
  admins: ['U0123456789'],
  requesters: 'admins',
  contactEditors: ['U0123456789'],
  expiryUnit: 'days',
  expiryDefault: 7,
  expiryLongest: 30,
  message: 'Best regards, Acme',
  recipientDomains: ['partner.example', 'lab.example'],
  watchedChannels: ['C0123456789'],
  requests: true,
  approvalRules: ['newRecipients'],
  approvers: ['U0123456789'],
  changed: {
    expiryLongest: { by: 'U0123456789', at: 1_700_000_000_000 },
    recipientDomains: { by: 'U0123456789', at: 1_700_000_000_000 },
    watchedChannels: { by: 'U0123456780', at: 1_690_000_000_000 },
    approvers: { by: 'U0123456789', at: 1_700_000_000_000 },
    requests: { by: 'U0123456789', at: 1_700_000_000_000 },
    contactEditors: { by: 'U0123456789', at: 1_700_000_000_000 },
  },
};

const problems = new Map(
  full.inboxChannels.map(({ channel }) => [channel, { at: 1_763_000_000_000, problem: 'gone' as const }]),
);

const factsOfPerson: Facts = {
  settings: { ...everyday, downloaders: ['C0123456780'], approvers: ['C0123456781'], auditors: ['U0123456789'] },
  person: 'U0123456789',
  role: 'member',
  channels: new Set(['C0123456780']),
  unknown: new Set(['C0123456781']),
};

export const samples: Samples = {
  everyday: overviewView(everyday, ['U0123456789'], 'Saved.'),
  'requests turned on': requestsOnView(),
  'a notice of a weaker setting': adminNoticeContent({
    by: 'U0123456789',
    changes: [['turned off approval for all transfers']],
  }),
  'a notice of several weaker settings': adminNoticeContent({
    by: 'U0123456789',
    changes: weakenings(everyday, {
      ...defaultSettings,
      delivery: 'thread',
      inboxChannels: [inboxChannel('C0123456780')],
    }),
  }),
  'a notice of many weaker settings': adminNoticeContent({
    by: 'U0123456789',
    changes: weakenings({ ...defaultSettings, requesters: 'admins', contactEditors: ['U0123456789'] }, full),
  }),
  'a person to choose': personView(),
  'a person who left': personView({ person: 'U0123456789', access: undefined }),
  'what a person can do': personView({ person: 'U0123456789', access: accessOf(factsOfPerson) }),
  'what an admin can do': personView({ person: 'U0123456789', access: accessOf({ ...factsOfPerson, role: 'admin' }) }),
  'the defaults': overviewView(defaultSettings, []),
  'everything set': overviewView(full, people, 'Saved.'),
  'everyday inbox channels': channelsView(
    everyday,
    new Map([['C0123456780', { at: 1_763_000_000_000, guests: 1, isPrivate: true }]]),
  ),
  'no inbox channels': channelsView(defaultSettings, new Map()),
  'many inbox channels': channelsView(full, problems, 'Saved.'),
  'a new inbox channel': channelForm(newChannel(defaultSettings), {
    stored: undefined,
    ownZone: 'Europe/Stockholm',
    hasLinks: false,
  }),
  'everyday form of an inbox channel': channelForm(forPartner, {
    stored: forPartner,
    ownZone: 'Europe/Stockholm',
    hasLinks: true,
  }),
  'an inbox channel with guests': channelForm(forPartner, {
    stored: undefined,
    ownZone: 'Europe/Stockholm',
    hasLinks: false,
    guests: 2,
  }),
  ...Object.fromEntries(
    full.inboxChannels
      .slice(0, 1)
      .map((stored) => [
        'an inbox channel of an admin in another zone, all set',
        channelForm(stored, { stored, ownZone: 'America/New_York', hasLinks: true }),
      ]),
  ),
  'turning on requests': requestsForm(),
  ...Object.fromEntries(
    pageNames.flatMap((page) => [
      [`everyday form of ${page}`, settingsForm(page, everyday, context)],
      [`the form of ${page}, at first`, settingsForm(page, defaultSettings, atFirst)],
      [`the form of ${page}, all set`, settingsForm(page, full, context)],
    ]),
  ),
  'what would be turned off': turnOffView(
    turnedOff(full, {
      approvalRules: [],
      approvalDomains: [],
      approvalMb: undefined,
      recipientDomains: [],
      extensions: [],
    }),
    id,
  ),
  'what would be removed': turnOffView(turnedOff(full, { admins: [], watchedChannels: [] }), id),
};
