import type { ExpiryUnit } from '../../../src/features/settings/repository.ts';
import { transferKinds } from '../../../src/features/transfer-kinds.ts';
import { cardOf } from '../../../src/features/transfers/cards/card.ts';
import { checklistMessage } from '../../../src/features/transfers/checklist/card.ts';
import {
  confirmView,
  requestView,
  shownRequestView,
  switchedOffView,
} from '../../../src/features/transfers/request/views.ts';
import type { TransferState } from '../../../src/features/transfers/states.ts';
import type { FileRequest } from '../../../src/features/transfers/transfer.ts';
import { option } from '../../../src/slack/blocks.ts';
import { everydayDate, everydayRecipients, everydayRequest } from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const recipients = Array.from({ length: 300 }, (_, number) => ({
  email: `${number}${hostileEmails[number % hostileEmails.length]}`,
  number: hostileTexts.mention,
  json: '{}',
}));

const difference = { code: 'difference', message: hostileTexts.huge ?? '', names: [...hostileEmails] };

const transfer = (state: TransferState, isAnswered: boolean, isDifferent = false): FileRequest => ({
  ...everydayRequest,
  state,
  createdAt: new Date(1_790_000_000_000),
  endedAt: new Date(1_790_000_100_000),
  recipients,
  message: hostileTexts.huge ?? '',
  progress: {
    result: { code: 'failed', message: hostileTexts.huge ?? '', names: [] },
    ...(isDifferent && { difference }),
  },
  ...(isAnswered && {
    answers: recipients.slice(0, 100).map(({ email }, index) => ({
      item: 'x',
      from: email,
      files: index + 5,
      at: 1_790_000_000,
      ...(index >= 95 && { names: hostileList.slice(0, 5).map((name) => name.slice(0, 80)) }),
    })),
  }),
});

const requestCard = (transfer: FileRequest, unit: ExpiryUnit) => cardOf(transferKinds, { transfer, unit });

const watchedUntil = 1_790_000_000_000;
const withProgress = (state: TransferState, more: FileRequest['progress']): FileRequest => {
  const plain = transfer(state, true);
  return { ...plain, progress: { ...plain.progress, ...more } };
};

const states: TransferState[] = ['waiting', 'running', 'committing', 'sent', 'failed', 'cancelled', 'unknown'];
const cards = states.flatMap((state) =>
  [false, true].map((isAnswered) => {
    const card = requestCard(transfer(state, isAnswered), isAnswered ? 'days' : 'own');
    return [`the card, ${state}, ${isAnswered ? 'answered' : 'not answered'}`, card];
  }),
);

const everydayCard = (state: TransferState, more: Partial<FileRequest> = {}) =>
  requestCard(
    {
      ...everydayRequest,
      state,
      recipients: everydayRecipients.slice(0, 1),
      message: 'The contract',
      progress: { result: { code: 'failed', message: "The service isn't responding.", names: [] } },
      ...more,
    },
    'days',
  );
const everydayAnswers = [
  {
    item: 'x',
    from: 'ada@partner.example',
    files: 2,
    names: ['passport.pdf', 'contract.pdf'],
    at: everydayDate.getTime() / 1000,
  },
];

const checklistOf = (points: string[], ticked: number) => ({
  checklist: { message: 'Please', points },
  ticks: points.slice(0, ticked).map((point) => ({ point, by: 'U0123456789', at: everydayDate.getTime() })),
});
const everydayPoints = ['Passport', 'Contract, signed', 'Proof of address'];
const hostilePoints = Array.from({ length: 20 }, (_, number) => `${number} ${hostileTexts.huge}`.slice(0, 100));
const withChecklist = (points: string[], ticked: number): FileRequest => ({
  ...transfer('sent', true),
  ...checklistOf(points, ticked),
});
const notices = [
  'No longer in your contacts: dora@example.net.',
  `Not allowed in this workspace: ${hostileTexts.huge}.`,
];

export const samples: Samples = {
  'an everyday card with a checklist': everydayCard('sent', {
    answers: everydayAnswers,
    ...checklistOf(everydayPoints, 1),
  }),
  'an everyday card with a complete checklist': everydayCard('sent', {
    answers: everydayAnswers,
    ...checklistOf(everydayPoints, 3),
  }),
  'an everyday card of a request that repeats another': everydayCard('sent', { repeats: 'x' }),
  'an everyday card of a request that was asked again': everydayCard('sent', {
    answers: everydayAnswers,
    ...checklistOf(everydayPoints, 1),
    askedAgain: { at: everydayDate.getTime(), by: 'x' },
  }),
  'an everyday request in a modal': shownRequestView(transferKinds, {
    transfer: withChecklist(everydayPoints, 1),
    unit: 'days',
    cardUrl: 'https://example.slack.com/archives/D1/p1',
    isOwn: true,
  }),
  'a request in a modal': shownRequestView(transferKinds, { transfer: withChecklist(hostilePoints, 10), isOwn: true }),
  'an everyday checklist that was asked for again': checklistMessage(
    withChecklist(everydayPoints, 1),
    withChecklist(everydayPoints.slice(1), 0),
  ),
  'an everyday checklist': checklistMessage(withChecklist(everydayPoints, 1)),
  'an everyday checklist, complete': checklistMessage(withChecklist(everydayPoints, 3)),
  'an everyday form with a checklist': requestView(
    { expiryUnit: 'days', expiryDefault: 7 },
    {
      recipients: [option('ada@partner.example', 'c1')],
      message: 'Please send me these.',
      expiresAfter: 7,
      points: everydayPoints,
      repeats: '7d1c6a86-53b5-4b4e-9a35-0f9c6d1e1c11',
    },
  ),
  'an everyday review with a checklist': confirmView({
    reviewId: 'id',
    recipients: everydayRecipients.slice(0, 1),
    message: 'Please send me these.',
    points: everydayPoints,
    expiresAfter: 7,
    unit: 'days',
    notices: notices.slice(0, 1),
    repeatsFrom: everydayDate,
  }),
  'the review with a checklist': confirmView({
    reviewId: 'id',
    recipients,
    message: hostileTexts.huge ?? '',
    points: hostilePoints,
    expiresAfter: 7,
    unit: 'own',
    notices,
    earlier: { id: 'id', at: new Date(0), state: 'unknown', watchedUntil: undefined },
  }),
  'an everyday review with a checklist and no message': confirmView({
    reviewId: 'id',
    recipients: everydayRecipients.slice(0, 1),
    message: '',
    points: everydayPoints,
    expiresAfter: 7,
    unit: 'days',
  }),
  'the checklist': checklistMessage(withChecklist(hostilePoints, 10)),
  'the checklist, complete': checklistMessage(withChecklist(hostilePoints, 20)),
  'the card with a checklist': requestCard(withChecklist(hostilePoints, 10), 'days'),
  'an everyday review': confirmView({
    reviewId: 'id',
    recipients: everydayRecipients.slice(0, 2),
    message: 'Please send the signed contract.',
    expiresAfter: 7,
    unit: 'days',
  }),
  ...Object.fromEntries(states.map((state) => [`an everyday card, ${state}`, everydayCard(state)])),
  'an everyday card, answered': everydayCard('sent', { answers: everydayAnswers }),
  'the form': requestView({ expiryUnit: 'days', expiryDefault: 7, expiryLongest: 30 }),
  'the form after a name that no contact has': requestView(
    { expiryUnit: 'days', expiryDefault: 7 },
    { recipients: [], notice: hostileTexts.huge },
  ),
  'the form without a known unit': requestView({ expiryUnit: 'own', expiryDefault: 7 }),
  'the form after Back': requestView(
    { expiryUnit: 'days', expiryDefault: 7 },
    {
      recipients: recipients.slice(0, 100).map(({ email }, number) => option(email, `c${number}`)),
      message: hostileTexts.huge ?? '',
      expiresAfter: 1e9,
    },
  ),
  'the review': confirmView({
    reviewId: 'id',
    recipients,
    message: hostileTexts.huge ?? '',
    expiresAfter: 7,
    unit: 'own',
  }),
  'the review for one recipient': confirmView({
    reviewId: 'id',
    recipients: recipients.slice(0, 1),
    message: hostileTexts.lines ?? '',
    expiresAfter: 5,
    unit: 'days',
  }),
  'the review of a possible duplicate': confirmView({
    reviewId: 'id',
    recipients,
    message: hostileTexts.huge ?? '',
    expiresAfter: 7,
    unit: 'own',
    earlier: { id: 'id', at: new Date(0), state: 'unknown', watchedUntil },
  }),
  'switched off': switchedOffView(false, 'U0123456789'),
  'switched off, for an admin': switchedOffView(true, 'U0123456789'),
  ...Object.fromEntries(cards),
  'the card, being cancelled': requestCard({ ...transfer('running', false), cancelledBy: 'U1' }, 'days'),
  'the card, unknown and watched': requestCard(withProgress('unknown', { watchedUntil }), 'days'),
  'the card, sent twice': requestCard(
    withProgress('sent', { found: { at: 0, after: 'unknown' }, duplicate: { of: 'x', isNotified: false } }),
    'days',
  ),
  'the card, sent with differences': requestCard(transfer('sent', true, true), 'days'),
  'the card, unknown and different': requestCard(transfer('unknown', false, true), 'days'),
};
