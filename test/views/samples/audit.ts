import { auditView, pageSize } from '../../../src/features/audit/views.ts';
import { everydayContacts, everydayDate, everydayFiles } from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const entries = Array.from({ length: pageSize }, (_, number) => ({
  number,
  at: new Date(1_700_000_000_000),
  workspace: 'T1',
  person: 'U0123456789',
  act: hostileList[number % hostileList.length] ?? '',
  outcome: 'not-allowed',
  reference: 'ABCDEFGH',
  details: { files: hostileList.map((name) => ({ name, size: 1 })), receivers: hostileEmails, result: null },
}));
const knownActions = Array.from({ length: 150 }, (_, number) => `act ${number}`);

const everyday = (act: string, outcome: string, details: Record<string, unknown>) => ({
  number: 1,
  at: everydayDate,
  workspace: 'T1',
  person: 'U0123456789',
  act,
  outcome,
  reference: 'ABCDEFGH',
  details,
});
const [ada] = everydayContacts;

export const samples: Samples = {
  everyday: auditView({
    choice: {},
    knownActions: ['dispatch confirm', 'contact add', 'settings change', 'inbox download'],
    entries: [
      everyday('dispatch confirm', 'ok', { files: everydayFiles, receivers: [ada?.email] }),
      everyday('contact add', 'ok', { email: ada?.email }),
      everyday('settings change', 'ok', { before: { inboxChannel: null }, after: { inboxChannel: 'C0123456789' } }),
      everyday('inbox download', 'not-allowed', { name: 'plan.pdf' }),
    ],
    hasMore: false,
    isFirstPage: true,
  }),
  empty: auditView({ choice: {}, knownActions: [], entries: [], hasMore: false, isFirstPage: true }),
  'one of many pages': auditView({
    choice: { person: 'U0123456789', act: 'act 3' },
    knownActions: [...knownActions, hostileTexts.huge ?? ''],
    entries,
    hasMore: true,
    isFirstPage: false,
  }),
};
