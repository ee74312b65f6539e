import type { ListedTransfer, PastTransfer } from '../../../src/features/history/operations.ts';
import { historyView, pageSize, transferView } from '../../../src/features/history/views.ts';
import { nastyEmails, nastyList, nastyTexts, type Samples } from '../nasty.ts';

const receivers = [...nastyList, ...nastyEmails].map((text) => ({ email: text, number: text, nick: text, name: text }));
const drop: PastTransfer = {
  id: 'x'.repeat(22),
  person: 'U0123456789',
  type: nastyTexts.mention,
  createdAt: 1_700_000_000,
  ttl: '7',
  message: nastyTexts.huge,
  files: nastyList.map((name) => ({ name })),
  receivers,
};
const few = (all: string[]) => ({ first: all.slice(0, 3), total: all.length });
const row: ListedTransfer = {
  id: drop.id,
  person: drop.person,
  createdAt: drop.createdAt,
  files: few(nastyList),
  receivers: few([...nastyList, ...nastyEmails]),
};
const rows = nastyList.map((text, number) => ({
  ...row,
  person: number % 2 === 0 ? undefined : row.person,
  createdAt: number % 3 === 0 ? undefined : row.createdAt,
  files: few(number % 4 === 0 ? [] : [text]),
  receivers: few(number % 5 === 0 ? [] : [text]),
}));
const many = Array.from({ length: 300 }, () => receivers).flat();
const seen = { isAdmin: true, unit: 'days' as const, liveDrops: 3, search: '' };

export const samples: Samples = {
  empty: historyView({ ...seen, entries: [], total: 0, page: 0, liveDrops: undefined }),
  'no results': historyView({ ...seen, entries: [], total: 0, page: 0, search: nastyTexts.mention ?? '' }),
  'a page in the middle': historyView({ ...seen, entries: rows.slice(0, pageSize), total: 1_000, page: 3 }),
  'a member’s page': historyView({ ...seen, isAdmin: false, entries: [row], total: 1, page: 0, search: 'plan' }),
  'one transfer': transferView({ drop, unit: 'own' }),
  'one transfer to many recipients': transferView({
    drop: { ...drop, receivers: many, ttl: nastyTexts.huge },
    unit: 'days',
  }),
  'an empty request': transferView({
    drop: { ...drop, files: [], receivers: [], message: undefined, ttl: undefined, createdAt: undefined },
    unit: 'days',
  }),
};
