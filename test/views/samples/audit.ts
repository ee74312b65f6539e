import { auditView, pageSize } from '../../../src/features/audit/views.ts';
import { everydayContacts, everydayDate, everydayFiles } from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const entries = Array.from({ length: pageSize }, (_, number) => ({
  number,
  at: new Date(1_700_000_000_000),
  workspace: 'T1',
  person: 'U0123456789',
  action: hostileList[number % hostileList.length] ?? '',
  outcome: 'not-allowed',
  reference: 'ABCDEFGH',
  details: { files: hostileList.map((name) => ({ name, size: 1 })), recipients: hostileEmails, result: null },
}));
const knownActions = Array.from({ length: 150 }, (_, number) => `action ${number}`);

const everyday = (action: string, outcome: string, details: Record<string, unknown>) => ({
  number: 1,
  at: everydayDate,
  workspace: 'T1',
  person: 'U0123456789',
  action,
  outcome,
  reference: 'ABCDEFGH',
  details,
});
const [ada] = everydayContacts;

export const samples: Samples = {
  everyday: auditView({
    choice: {},
    knownActions: ['confirm', 'contacts add', 'settings', 'download'],
    entries: [
      everyday('confirm', 'done', { files: everydayFiles, recipients: [ada?.email] }),
      everyday('contacts add', 'done', { contacts: [ada?.email] }),
      everyday('settings', 'done', { changed: ['The channel for incoming files: not set → C0123456789'] }),
      everyday('download', 'not-allowed', { file: 'plan.pdf' }),
      everyday('tick off', 'done', { point: 'Passport', contacts: [ada?.email], requester: 'U0123456789' }),
    ],
    next: undefined,
    isFirstPage: true,
  }),
  empty: auditView({ choice: {}, knownActions: [], entries: [], next: undefined, isFirstPage: true }),
  'one of many pages': auditView({
    choice: {
      person: 'U0123456789',
      action: 'action 3',
      search: hostileTexts.mention,
      from: '2026-11-01',
      to: '2026-11-16',
    },
    knownActions: [...knownActions, hostileTexts.huge ?? ''],
    entries,
    next: 17,
    isFirstPage: false,
  }),
  'no results': auditView({
    choice: { search: 'zzz' },
    knownActions: [],
    entries: [],
    next: 17,
    isFirstPage: false,
  }),
};
