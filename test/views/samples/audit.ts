import { actionPieces, detailPieces } from '../../../src/features/audit/texts.ts';
import { auditView, pageSize } from '../../../src/features/audit/views.ts';
import { divider, type Piece, wholeList } from '../../../src/slack/blocks.ts';
import { modal } from '../../../src/slack/views.ts';
import type { AuditAction, AuditDetails } from '../../../src/store/index.ts';
import { auditExamples, exampledActions } from '../audit-examples.ts';
import { everydayDate } from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const entryOf = <A extends AuditAction>(action: A, outcome: string, details: AuditDetails<A> | undefined) => ({
  number: 1,
  at: everydayDate,
  workspace: 'T1',
  person: 'U0123456789',
  action,
  outcome,
  reference: 'ABCDEFGH',
  details,
});
const everyday = (action: AuditAction, outcome = 'done') => entryOf(action, outcome, auditExamples[action]);

const hostileActions: AuditAction[] = ['send', 'tick off', 'settings', 'connect', 'decline'];
const hostileChange = { setting: hostileTexts.mention ?? '', from: hostileList, to: [{ channel: 'C0123456789' }] };
const hostile = {
  files: hostileList.map((name) => ({ name, size: 1 })),
  recipients: hostileEmails,
  result: { code: 'x', message: hostileTexts.huge ?? '', names: [] },
  point: hostileTexts.mention ?? '',
  changed: [hostileChange, hostileChange, { omitted: 7 }],
  baseUrl: hostileTexts.markup ?? '',
  reason: hostileTexts.lines ?? '',
};
const hostileEntries = Array.from({ length: pageSize }, (_, number) =>
  entryOf(hostileActions[number % hostileActions.length] ?? 'send', 'not-allowed', hostile),
);

/** A line with the sentence and the details of every action. */
const allTexts = (outcome: string) =>
  wholeList(
    exampledActions.map((action): Piece[] => {
      const entry = everyday(action, outcome);
      const more = detailPieces(entry.details ?? {});
      return [{ user: entry.person }, ' ', ...actionPieces(entry, entry.details ?? {}), '\n', ...more];
    }),
  );

export const samples: Samples = {
  everyday: auditView({
    choice: {},
    entries: [
      everyday('send', 'sent'),
      everyday('approve', 'decided'),
      everyday('settings'),
      everyday('download', 'not-allowed'),
      entryOf('download', 'done', undefined),
      everyday('tick off'),
    ],
    next: undefined,
    isFirstPage: true,
    daysKept: 400,
  }),
  'every action, done and refused': modal('Audit log', [...allTexts('done'), divider(), ...allTexts('not-allowed')]),
  empty: auditView({ choice: {}, entries: [], next: undefined, isFirstPage: true, daysKept: 400 }),
  'one of many pages': auditView({
    choice: {
      person: 'U0123456789',
      action: 'send',
      search: hostileTexts.mention,
      from: '2026-11-01',
      to: '2026-11-16',
    },
    entries: hostileEntries,
    next: 17,
    isFirstPage: false,
    daysKept: 400,
  }),
  'no results': auditView({ choice: { search: 'zzz' }, entries: [], next: 17, isFirstPage: false, daysKept: 400 }),
};
