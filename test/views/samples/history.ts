import type { ListedTransfer, PastTransfer } from '../../../src/features/history/operations.ts';
import { historyView, pageSize, transferView } from '../../../src/features/history/views.ts';
import { repeatRequestButtons } from '../../../src/features/transfers/request/card.ts';
import { repeatSendButtons } from '../../../src/features/transfers/send/card.ts';
import type { Transfer } from '../../../src/features/transfers/transfer.ts';
import { button } from '../../../src/slack/blocks.ts';
import {
  everydayContacts,
  everydayDate,
  everydayFiles,
  everydayMessage,
  everydayRequest,
  everydaySend,
} from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const recipients = [...hostileList, ...hostileEmails].map((text) => ({
  email: text,
  number: text,
  nick: text,
  name: text,
}));
const transfer: PastTransfer = {
  id: 'x'.repeat(22),
  person: 'U0123456789',
  type: hostileTexts.mention,
  createdAt: 1_700_000_000,
  expiresAfter: '7',
  message: hostileTexts.huge,
  files: hostileList.map((name) => ({ name })),
  recipients,
};
const firstThree = (all: string[]) => ({ first: all.slice(0, 3), total: all.length });
const row: ListedTransfer = {
  id: transfer.id,
  person: transfer.person,
  createdAt: transfer.createdAt,
  files: firstThree(hostileList),
  recipients: firstThree([...hostileList, ...hostileEmails]),
};
const rows = hostileList.map((text, number) => ({
  ...row,
  person: number % 2 === 0 ? undefined : row.person,
  createdAt: number % 3 === 0 ? undefined : row.createdAt,
  files: firstThree(number % 4 === 0 ? [] : [text]),
  recipients: firstThree(number % 5 === 0 ? [] : [text]),
}));
const many = Array.from({ length: 300 }, () => recipients).flat();
const options = {
  seesAll: true,
  unit: 'days' as const,
  activeDownloads: 3,
  search: {},
  editButton: ({ id }: Transfer) => button('Edit…', 'send.edit', { value: id }),
};

const everyday: PastTransfer = {
  ...transfer,
  type: 'drop',
  createdAt: everydayDate.getTime() / 1000,
  message: everydayMessage,
  files: everydayFiles,
  recipients: everydayContacts.map(({ email, number, nick }) => ({ email, number, nick, name: undefined })),
};
const everydayRow: ListedTransfer = {
  ...row,
  createdAt: everyday.createdAt,
  files: firstThree(everydayFiles.map(({ name }) => name)),
  recipients: firstThree(everydayContacts.map(({ email = '' }) => email)),
};

const unsentRow: ListedTransfer = { ...everydayRow, unsent: { ...everydaySend, state: 'cancelled' } };

export const samples: Samples = {
  everyday: historyView({ ...options, entries: [everydayRow, unsentRow], total: 2, page: 0 }),
  'everyday, no results': historyView({ ...options, entries: [], total: 0, page: 0, search: { search: 'zzz' } }),
  'one everyday transfer': transferView({
    transfer: everyday,
    unit: 'days',
    record: '7d1c6a86-53b5-4b4e-9a35-0f9c6d1e1c11',
  }),
  empty: historyView({ ...options, entries: [], total: 0, page: 0, activeDownloads: undefined }),
  'no results': historyView({ ...options, entries: [], total: 0, page: 0, search: { search: hostileTexts.mention } }),
  'a page in the middle': historyView({
    ...options,
    entries: rows.slice(0, pageSize),
    total: 1_000,
    page: 3,
    search: { person: 'U0123456789' },
  }),
  'a member’s page': historyView({
    ...options,
    seesAll: false,
    entries: [row],
    total: 1,
    page: 0,
    search: { search: 'plan', from: '2026-11-01', to: '2026-11-16' },
  }),
  'one transfer': transferView({ transfer, unit: 'own' }),
  'one everyday transfer of the reader': transferView({
    transfer: everyday,
    unit: 'days',
    repeatButtons: repeatSendButtons(everydaySend),
  }),
  'one request of the reader': transferView({
    transfer: { ...everyday, files: [] },
    unit: 'days',
    repeatButtons: repeatRequestButtons(everydayRequest),
  }),
  'one transfer to many recipients': transferView({
    transfer: { ...transfer, recipients: many, expiresAfter: hostileTexts.huge },
    unit: 'days',
  }),
  'an empty request': transferView({
    transfer: {
      ...transfer,
      files: [],
      recipients: [],
      message: undefined,
      expiresAfter: undefined,
      createdAt: undefined,
    },
    unit: 'days',
  }),
};
