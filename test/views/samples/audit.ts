import { auditView, pageSize } from '../../../src/features/audit/views.ts';
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

export const samples: Samples = {
  empty: auditView({ choice: {}, knownActions: [], entries: [], hasMore: false, isFirstPage: true }),
  'one of many pages': auditView({
    choice: { person: 'U0123456789', act: 'act 3' },
    knownActions: [...knownActions, hostileTexts.huge ?? ''],
    entries,
    hasMore: true,
    isFirstPage: false,
  }),
};
