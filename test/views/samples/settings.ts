import { digestForm } from '../../../src/features/settings/digest/form.ts';
import { digestsView } from '../../../src/features/settings/digest/views.ts';
import { adminNoticeContent } from '../../../src/features/settings/notify.ts';
import { clearingForm, type Page, pages, routeForm, settingsForm } from '../../../src/features/settings/pages/form.ts';
import { policiesView } from '../../../src/features/settings/policies/views.ts';
import { defaultSettings, type Settings } from '../../../src/features/settings/repository.ts';
import { overviewView, requestsOnView, routesView } from '../../../src/features/settings/views.ts';
import { weakenings } from '../../../src/features/settings/weakening.ts';
import { hostileTexts, type Samples } from '../hostile-texts.ts';

const people = Array.from({ length: 60 }, (_, number) => `U${String(number).padStart(10, '0')}`);
const channels = people.map((id) => id.replace('U', 'C'));
const longest = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.se`;
const longestZone = 'America/Argentina/ComodRivadavia';
const full: Settings = {
  inboxChannel: 'C0123456789',
  routes: Array.from({ length: 40 }, (_, number) => ({ from: `${number}${longest}`, channel: channels[number] ?? '' })),
  digests: channels.slice(0, 41).map((channel) => ({ channel, every: 'day', hour: 23, zone: longestZone })),
  admins: people,
  senders: people,
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
  workChannels: channels.slice(0, 50),
  reminderDays: 2,
  requests: true,
  contactsOnlyAdd: true,
  fileTypes: 'block',
  extensions: Array.from({ length: 200 }, (_, number) => `extension${number}`.padEnd(16, 'x')),
  maxFileMb: 1_000_000,
  maxTotalMb: 1_000_000,
  unscanned: 'note',
  approval: defaultSettings.approval,
};
const names = Object.keys(pages) as Page[];

const everyday: Settings = {
  ...defaultSettings,
  inboxChannel: 'C0123456789',
  routes: [{ from: 'partner.example', channel: 'C0123456780' }],
  digests: [{ channel: 'C0123456789', every: 'day', hour: 9, zone: 'Europe/Stockholm' }],
  admins: ['U0123456789'],
  requesters: 'admins',
  contactEditors: ['U0123456789'],
  expiryUnit: 'days',
  expiryDefault: 7,
  expiryLongest: 30,
  message: 'Best regards, Acme',
  recipientDomains: ['partner.example', 'lab.example'],
  watchedChannels: ['C0123456789'],
  workChannels: ['C0123456789'],
  requests: true,
};

export const samples: Samples = {
  everyday: overviewView(everyday, 'Saved.'),
  'requests turned on': requestsOnView(),
  'a notice of a weaker setting': adminNoticeContent({
    by: 'U0123456789',
    changes: [['turned off approval for all transfers']],
  }),
  'a notice of several weaker settings': adminNoticeContent({
    by: 'U0123456789',
    changes: weakenings(everyday, { ...defaultSettings, delivery: 'thread', inboxChannel: 'C0123456780' }),
  }),
  'a notice of many weaker settings': adminNoticeContent({
    by: 'U0123456789',
    changes: weakenings({ ...defaultSettings, requesters: 'admins', contactEditors: ['U0123456789'] }, full),
  }),
  'everyday policies': policiesView(everyday, { hasScanner: true, isRequired: false }),
  'everyday routes': routesView(everyday),
  'the defaults': overviewView(defaultSettings),
  'everything set': overviewView(full, 'Saved.'),
  'the policies, at first': policiesView(defaultSettings, { hasScanner: false, isRequired: false }),
  'the policies, all set': policiesView(full, { hasScanner: true, isRequired: true }, 'Saved.'),
  'no routes': routesView(defaultSettings),
  'everyday form of inbox': settingsForm('inbox', everyday, true),
  'many routes': routesView(full, 'Route added.'),
  'a new route': routeForm(),
  'everyday digests': digestsView(everyday),
  'digests without a channel': digestsView(defaultSettings),
  'many digests': digestsView(full, 'Saved.'),
  'a new digest': digestForm('C0123456789', undefined, 'Europe/Stockholm'),
  'a digest set by an admin in another zone': digestForm('C0123456789', everyday.digests[0], 'America/New_York'),
  ...Object.fromEntries(
    names.map((page) => [`the form of ${page}, at first`, settingsForm(page, defaultSettings, false)]),
  ),
  'what would be removed': clearingForm('people', full, {
    hasLinks: true,
    clearing: ['inboxChannel', 'workChannels', 'admins', 'recipientDomains', 'watchedChannels'],
    seen: {},
  }),
  ...Object.fromEntries(names.map((page) => [`the form of ${page}, all set`, settingsForm(page, full, true)])),
};
