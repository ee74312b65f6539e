import { expect, test } from 'vitest';
import type { CardState } from '../../src/features/transfers/card.ts';
import { cardOf } from '../../src/features/transfers/kinds/card.ts';
import type { TransferDetails } from '../../src/features/transfers/repository.ts';

const details: TransferDetails = {
  files: [{ id: 'F1', name: 'plan.pdf', size: 8 }],
  recipients: [{ email: 'carl@example.org', number: '46700000001' }],
  message: '',
  expiresAfter: 7,
} as unknown as TransferDetails;

function textOf(change: Partial<CardState['transfer']>, phase?: NonNullable<CardState['progress']>['phase']): string {
  const transfer = {
    id: 'D1',
    kind: 'send',
    person: 'U1',
    isSeen: true,
    details,
    ...change,
  } as CardState['transfer'];
  const progress = phase && { phase, file: 1, files: 1, bytes: 8, totalBytes: 8 };
  return cardOf({ transfer, progress }).text;
}

test('the card of a sent transfer shows the total size of its files', () => {
  const files = [...details.files, { id: 'F2', name: 'data.csv', size: 2_000_000, stamp: '1' }];
  const transfer = { id: 'D1', kind: 'send', person: 'U1', isSeen: true, state: 'sent', endedAt: new Date() };
  const { blocks } = cardOf({ transfer: { ...transfer, details: { ...details, files } } as CardState['transfer'] });
  expect(JSON.stringify(blocks)).toContain('(2.0 MB)');
});

const difference = { code: 'difference', message: 'An unexpected transfer.', names: ['other.doc'] };
const endedAt = new Date();

test.each([
  ['is being sent, without progress', { state: 'committing' }, undefined, /^Sending/],
  ['has just been uploaded', { state: 'committing' }, 'uploading', /^Sending/],
  ['got no answer and is being checked', { state: 'committing' }, 'reconciling', /^Checking status/],
  ['was accepted and is being checked', { state: 'sent' }, 'cleaning', /^Sent: .* Checking the history/],
  ['is being cleaned up', { state: 'running' }, 'stopping', /^Cancelling: .* Nothing was sent. Cleaning up/],
  [
    'was cancelled in the queue',
    { state: 'waiting', cancelledBy: 'U1' },
    undefined,
    /^Cancelling: .* Nothing will be sent/,
  ],
  ['was cancelled during the upload', { state: 'running', cancelledBy: 'U1' }, 'uploading', /^Cancelling/],
  ['was sent', { state: 'sent', endedAt }, undefined, /^✅ Sent/],
  [
    'was sent with differences',
    { state: 'sent', endedAt, details: { ...details, difference } },
    undefined,
    /^⚠️ Sent with differences.*other\.doc/s,
  ],
  [
    'has an unknown outcome and an unexpected transfer in the history',
    { state: 'unknown', endedAt, details: { ...details, difference } },
    undefined,
    /^⚠️ Delivery unconfirmed.*other\.doc/s,
  ],
] as const)('the card shows the state of a transfer that %s', (_, change, phase, pattern) => {
  expect(textOf(change, phase)).toMatch(pattern);
});

test.each([
  ['file-failed', ['Try again…', 'Send without plan.pdf…']],
  ['empty-file', ['Edit…', 'Send without plan.pdf…']],
  ['infected', ['Edit…', 'Send without plan.pdf…']],
  ['not-allowed', ['Edit…', 'Send without plan.pdf…']],
  ['not-scanned', ['Try again…', 'Send without plan.pdf…']],
  ['approval-expired', ['Try again…', 'Edit…']],
  ['declined', ['Edit…']],
])('the card of a transfer that failed with %s offers the possible next steps', (code, labels) => {
  const files = [...details.files, { ...details.files[0], id: 'F2', name: 'map.png' }];
  const result = { code, message: 'Something went wrong.', names: ['plan.pdf'] };
  const change = { state: 'failed', endedAt, details: { ...details, files, result } };
  const transfer = {
    id: 'D1',
    kind: 'send',
    person: 'U1',
    isSeen: true,
    ...change,
  } as unknown as CardState['transfer'];
  const { blocks } = cardOf({ transfer });
  const buttons = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
  expect(textsIn(buttons)).toEqual(labels);
});

test.each([
  ['was sent', {}, 'sent', /^Requested files from 1 person: carl@example\.org\b/],
  [
    'was sent with differences',
    { difference },
    'sent',
    /^⚠️ Requested files from 1 person.*with differences.*other\.doc.*on hold/s,
  ],
  [
    'has an unknown outcome and an unexpected transfer in the history',
    { difference },
    'unknown',
    /^⚠️ Request unconfirmed.*other\.doc.*on hold/s,
  ],
] as const)('the card shows the state of a request that %s', (_, more, state, pattern) => {
  const transfer = { id: 'D1', kind: 'request', person: 'U1', state, endedAt, details: { ...details, ...more } };
  const { text, blocks } = cardOf({ transfer: transfer as unknown as CardState['transfer'], unit: 'days' });
  expect(textsIn(blocks).join(' ')).toMatch(pattern);
  expect(text).toMatch(pattern);
});

test("a request's card offers Ask again and Tick off only after the request has ended", () => {
  const checklist = { message: '', points: [{ text: 'Passport' }] };
  const labelsOf = (ended: Date | undefined) => {
    const transfer = { id: 'D1', kind: 'request', state: 'sent', createdAt: endedAt, endedAt: ended };
    const card = cardOf({ transfer: { ...transfer, details: { ...details, checklist } } as CardState['transfer'] });
    return textsIn(card.blocks.filter(({ type }) => type === 'actions'));
  };
  expect(labelsOf(undefined)).toEqual([]);
  expect(labelsOf(endedAt)).toEqual(['Tick off…', 'Ask again']);
});

const textsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
      );
