import { clearingForm, type Page, pages, routeForm, settingsForm } from '../../../src/features/settings/form.ts';
import { defaultSettings, type Settings } from '../../../src/features/settings/repository.ts';
import { overviewView, routesView } from '../../../src/features/settings/views.ts';

import { hostileTexts, type Samples } from '../hostile-texts.ts';

const people = Array.from({ length: 60 }, (_, number) => `U${String(number).padStart(10, '0')}`);
const channels = people.map((id) => id.replace('U', 'C'));
const longest = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.se`;
const full: Settings = {
  inboxChannel: 'C0123456789',
  routes: Array.from({ length: 40 }, (_, number) => ({ from: `${number}${longest}`, channel: 'C0123456789' })),
  admins: people,
  may: { send: people, request: 'admins', download: 'everyone', contacts: people },
  ttl: { unit: 'days', usual: 7, longest: 30 },
  message: hostileTexts.huge?.slice(0, 3_000) ?? '',
  receiverDomains: Array.from({ length: 300 }, (_, number) => `domain${number}.example.com`),
  watchedChannels: channels,
  delivery: 'link',
  requests: true,
  contactsOnlyAdd: true,
  policies: {
    fileTypes: 'block',
    extensions: Array.from({ length: 200 }, (_, number) => `extension${number}`.padEnd(16, 'x')),
    maxFileMb: 1_000_000,
    maxTotalMb: 1_000_000,
    unscanned: 'note',
    approval: defaultSettings.policies.approval,
  },
};
const names = Object.keys(pages) as Page[];

const everyday: Settings = {
  ...defaultSettings,
  inboxChannel: 'C0123456789',
  routes: [{ from: 'partner.example', channel: 'C0123456789' }],
  admins: ['U0123456789'],
  may: { ...defaultSettings.may, request: 'admins', contacts: ['U0123456789'] },
  ttl: { unit: 'days', usual: 7, longest: 30 },
  message: 'Best regards, Acme',
  receiverDomains: ['partner.example', 'lab.example'],
  watchedChannels: ['C0123456789'],
  requests: true,
};

export const samples: Samples = {
  everyday: overviewView(everyday, 'Saved.'),
  'everyday routes': routesView(everyday, (from) => from),
  'the defaults': overviewView(defaultSettings),
  'everything set': overviewView(full, 'Saved.'),
  'no routes': routesView(defaultSettings, () => 'id'),
  'many routes': routesView(full, (from) => from.slice(0, 22), 'Added.'),
  'a new route': routeForm(),
  ...Object.fromEntries(
    names.map((page) => [`the form of ${page}, at first`, settingsForm(page, defaultSettings, false)]),
  ),
  'what would be removed': clearingForm('people', full, {
    hasLinks: true,
    clearing: ['inboxChannel', 'admins', 'receiverDomains', 'watchedChannels'],
    seen: {},
  }),
  ...Object.fromEntries(names.map((page) => [`the form of ${page}, all set`, settingsForm(page, full, true)])),
};
