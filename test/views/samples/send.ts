import { uniqueNames } from '../../../src/features/common/names.ts';
import { transferKinds } from '../../../src/features/transfer-kinds.ts';
import { cardOf, confirmedView, dialogOf } from '../../../src/features/transfers/cards/card.ts';
import { sendKind } from '../../../src/features/transfers/send/kind.ts';
import { askAdminCard } from '../../../src/features/transfers/send/notify.ts';
import { detailsView, reviewView, sendView } from '../../../src/features/transfers/send/views.ts';
import type { Send, TransferProgress } from '../../../src/features/transfers/transfer.ts';
import { option } from '../../../src/slack/blocks.ts';
import { everydayDate, everydayFiles, everydayMessage, everydayRecipients, waitingSend } from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const names = uniqueNames([...hostileList, ...Array.from({ length: 90 }, (_, number) => `file ${number}.txt`)]);
const files = names.map((name, number) => ({ id: `F${number}`, name, size: number * 1e9, stamp: '1' }));
const recipients = Array.from({ length: 150 }, (_, number) => ({
  email: hostileEmails[number] ?? `r${number}@example.org`,
  number: number % 2 ? '46700000000' : '',
  nick: hostileList[number % hostileList.length] ?? '',
  json: '{}',
}));
const transfer: Send = {
  ...waitingSend,
  state: 'running',
  createdAt: new Date(0),
  isSeen: true,
  recipients,
  files,
  message: hostileTexts.huge ?? '',
};
const ended = (change: Partial<Send>, progress: TransferProgress = {}) =>
  cardOf(transferKinds, { transfer: { ...transfer, endedAt: new Date(), progress, ...change } });
const failure = (code: string, of: string[]) => ({ result: { code, message: hostileTexts.huge ?? '', names: of } });
const progress = { file: 3, files: files.length, bytes: 1e9, totalBytes: 1e12 };
const phases = [
  'waiting',
  'checking',
  'uploading',
  'committing',
  'sent',
  'reconciling',
  'cleaning',
  'stopping',
] as const;
const replaced = { field: 'number' as const, from: hostileTexts.huge ?? '', to: '' };
const everydayNumber = { field: 'number' as const, from: '46701234567', to: '46709999999' };
const review = {
  reviewId: transfer.id,
  recipients: recipients.map((recipient, number) => ({
    ...recipient,
    isFirstTime: [true, false, undefined][number % 3],
    changed: number % 4 ? undefined : { person: 'U0123456789', at: new Date(), number: replaced },
  })),
  files: files.map((file, number) => ({ ...file, originalName: hostileList[number % hostileList.length] ?? '' })),
  hasAllChanges: true,
  message: hostileTexts.huge ?? '',
  expiresAfter: 7,
  earlier: undefined,
};
const earlier = { id: transfer.id, at: new Date(0), state: 'failed', watchedUntil: 1_790_000_000_000 } as const;
const blocked: Send = { ...transfer, progress: failure('unexpected-files', names) };
const [one] = files;
const [first] = recipients;
const small: Send = { ...transfer, files: one ? [one] : [], recipients: first ? [first] : [], message: '' };

const everyday: Send = {
  ...transfer,
  createdAt: everydayDate,
  recipients: everydayRecipients,
  files: everydayFiles,
  message: everydayMessage,
};
const everydayEnd = (change: Partial<Send>, progress: TransferProgress = {}) =>
  cardOf(transferKinds, { transfer: { ...everyday, endedAt: everydayDate, progress, ...change }, unit: 'days' });
const everydayFailure = (code: string, message: string, of: string[] = []) => ({
  result: { code, message, names: of },
});
const everydayProgress = { file: 1, files: 2, bytes: 1_300_000, totalBytes: 2_664_200 };
const everydayReview = {
  ...review,
  recipients: everydayRecipients.map((recipient, number) => ({
    ...recipient,
    isFirstTime: number === 0,
    changed: number === 1 ? { person: 'U0123456789', at: everydayDate, number: everydayNumber } : undefined,
  })),
  files: everydayFiles.map((file) => ({ ...file, originalName: file.name })),
  message: everydayMessage,
};

const planned: Send = {
  ...waitingSend,
  state: 'planned',
  startsAt: new Date('2026-11-16T09:31:00Z'),
  recipients: everydayRecipients,
  files: everydayFiles.map((file) => ({ ...file, id: 'F1', stamp: '1' })),
};
const later: Send = { ...planned, plannedFor: everydayDate.getTime() / 1000 + 200_000 };
const deleted: Send = { ...later, progress: { deleted: hostileList } };

export const samples: Samples = {
  'the card while it can be undone': cardOf(transferKinds, { transfer: planned }),
  'the modal while it can be undone': dialogOf(transferKinds, { transfer: planned }),
  'the card of a planned transfer': cardOf(transferKinds, { transfer: later }),
  'the card of a planned transfer whose files were deleted': cardOf(transferKinds, { transfer: deleted }),
  'an everyday form': sendView({
    recipients: everydayRecipients.slice(0, 2).map(({ email }, number) => option(email, `c${number}`)),
    offered: everydayFiles,
    ticked: everydayFiles.map(({ id }) => id),
    message: everydayMessage,
    expiresAfter: 7,
    expiry: { expiryUnit: 'days', expiryDefault: 7, expiryLongest: 30 },
    extra: [],
    problems: [],
  }),
  'an everyday review': reviewView(everydayReview, 'days'),
  'an everyday review, possible duplicate': reviewView(
    { ...everydayReview, earlier: { ...earlier, at: everydayDate } },
    'days',
  ),
  ...Object.fromEntries(
    phases.map((phase) => [
      `an everyday card while ${phase}`,
      cardOf(transferKinds, {
        transfer: everyday,
        progress: { phase, ...everydayProgress },
        rate: 1e6,
        ahead: 1,
        unit: 'days',
      }),
    ]),
  ),
  'an everyday card: sent': everydayEnd({ state: 'sent' }),
  'an everyday card: cancelled': everydayEnd({ state: 'cancelled', cancelledBy: transfer.person }),
  'an everyday card: unknown': everydayEnd({ state: 'unknown' }, everydayFailure('unknown', 'The answer was lost.')),
  'an everyday card: not sent': everydayEnd(
    { state: 'failed' },
    everydayFailure('not-sent', 'The service rejected it.'),
  ),
  'an everyday card: a file failed': everydayEnd(
    { state: 'failed' },
    everydayFailure('file-failed', "budget.xlsx couldn't be uploaded.", ['budget.xlsx']),
  ),
  'an everyday card: unexpected files': everydayEnd(
    { state: 'failed' },
    everydayFailure('unexpected-files', 'Unexpected files on the account blocked this transfer.', ['old.zip']),
  ),
  'an everyday card: a difference': everydayEnd(
    { state: 'sent' },
    { difference: { code: 'difference', message: 'budget.xlsx is missing.', names: ['budget.xlsx'] } },
  ),
  'asking an admin, everyday': askAdminCard({
    ...everyday,
    progress: everydayFailure('unexpected-files', 'Unexpected files.', ['old.zip']),
  }),
  'the empty form': sendView({
    recipients: [],
    offered: [],
    ticked: [],
    message: '',
    expiresAfter: 7,
    expiry: { expiryUnit: 'days', expiryDefault: 7 },
    extra: [],
    problems: [],
  }),
  'the form with everything': sendView({
    recipients: recipients.slice(0, 100).map(({ email }, number) => option(email, `c${number}`)),
    offered: files,
    ticked: files.map(({ id }) => id),
    message: hostileTexts.huge ?? '',
    expiresAfter: 1e9,
    expiry: { expiryUnit: 'own', expiryDefault: 7, expiryLongest: 1e9 },
    extra: files.slice(0, 50).map(({ id }) => id),
    problems: hostileList.map((text, number) => ({
      text,
      ...(number % 2 ? { staged: { id: `F${number}`, name: text } } : {}),
    })),
  }),
  'a large review': reviewView(review, 'own', { files: files.slice(0, 50).map(({ id }) => id) }),
  'the review of a possible duplicate': reviewView({ ...review, earlier }, 'own'),
  'the review of a repeated transfer': reviewView(
    {
      ...review,
      earlier: { ...earlier, watchedUntil: undefined },
      notices: [`No longer in Slack: ${hostileTexts.huge}.`, 'No longer in your contacts: dora@example.net.'],
    },
    'own',
  ),
  'a small review': reviewView(
    {
      ...review,
      hasAllChanges: false,
      files: review.files.slice(0, 1),
      recipients: review.recipients.slice(0, 1),
      message: '',
    },
    'days',
  ),
  sending: confirmedView(sendKind.texts, { ahead: 3, needsApproval: false }),
  ...Object.fromEntries(
    phases.map((phase) => [
      `the card while ${phase}`,
      cardOf(transferKinds, { transfer, progress: { phase, ...progress }, rate: 1e6, ahead: 2 }),
    ]),
  ),
  ...Object.fromEntries(
    phases.map((phase) => [
      `the modal while ${phase}`,
      dialogOf(transferKinds, { transfer, progress: { phase, ...progress }, rate: 1e6, ahead: 2 }),
    ]),
  ),
  'the modal: sent': dialogOf(transferKinds, { transfer: { ...transfer, state: 'sent', endedAt: new Date() } }),
  'the modal: unexpected files': dialogOf(transferKinds, {
    transfer: { ...blocked, state: 'failed', endedAt: new Date() },
  }),
  'the details of a large transfer': detailsView({ transfer, unit: 'own' }),
  'the details of a small transfer': detailsView({ transfer: small, unit: 'days' }),
  'the card of one small file': cardOf(transferKinds, { transfer: small }),
  'the card: sent': ended({ state: 'sent' }),
  'the card: sent, not scanned': ended(
    { state: 'sent' },
    { scan: { clean: 0, unscanned: hostileList.map((name) => ({ name, reason: hostileTexts.huge ?? '' })) } },
  ),
  'the card: sent, not yet in the history': ended({ state: 'sent', isSeen: false }),
  'the card: cancelled': ended({ state: 'cancelled', cancelledBy: transfer.person }),
  'the card: unknown': ended({ state: 'unknown' }, failure('unknown', [])),
  'the card: not sent': ended({ state: 'failed' }, failure('not-sent', [])),
  'the card: probably not sent': ended(
    { state: 'failed' },
    { ...failure('probably-not-sent', []), watchedUntil: earlier.watchedUntil },
  ),
  'the card: sent after all': ended({ state: 'sent' }, { found: { at: 0, after: 'failed' } }),
  'the card: sent twice': ended(
    { state: 'sent' },
    { found: { at: 0, after: 'unknown' }, duplicate: { of: 'x', isNotified: false } },
  ),
  'the card: a file failed': ended({ state: 'failed' }, failure('file-failed', names.slice(0, 1))),
  'the card: many files failed': ended({ state: 'failed' }, failure('file-failed', names.slice(0, 60))),
  'the card: unexpected files': ended({ state: 'failed' }, failure('unexpected-files', hostileList)),
  'the card: a difference': ended(
    { state: 'sent' },
    { difference: { code: 'difference', message: hostileTexts.huge ?? '', names: hostileList } },
  ),
  'the card: an admin was asked': ended(
    { state: 'failed', locations: { adminQuestion: { channel: 'D1', ts: '1.1' } } },
    failure('unexpected-files', hostileList),
  ),
  'the card: tried again': cardOf(transferKinds, {
    transfer: { ...transfer, state: 'failed', endedAt: new Date(), progress: failure('x', []) },
    isRetried: true,
  }),
  'asking an admin': askAdminCard(blocked),
  'asking an admin about a transfer that was tried again': askAdminCard(blocked, true),
};
