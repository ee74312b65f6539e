import { expect, test } from 'vitest';
import { transferKinds } from '../../src/features/transfer-kinds.ts';
import { cardOf } from '../../src/features/transfers/cards/card.ts';
import type { CardState } from '../../src/features/transfers/shown-kind.ts';
import type { FileRequest, Send, TransferFile } from '../../src/features/transfers/transfer.ts';
import { everydayRequest, everydaySend } from './everyday.ts';

const plan: TransferFile = { id: 'F1', name: 'plan.pdf', size: 8, stamp: '1' };
const recipients = [{ email: 'carl@example.org', number: '46700000001', json: '{}' }];
const send: Send = { ...everydaySend, person: 'U1', endedAt: undefined, files: [plan], recipients };
const request: FileRequest = { ...everydayRequest, person: 'U1', recipients };

function textOf(change: Partial<Send>, phase?: NonNullable<CardState['progress']>['phase']): string {
  const progress = phase && { phase, file: 1, files: 1, bytes: 8, totalBytes: 8 };
  return cardOf(transferKinds, { transfer: { ...send, ...change }, progress }).text;
}

test('the card of a sent transfer shows the total size of its files', () => {
  const files = [plan, { id: 'F2', name: 'data.csv', size: 2_000_000, stamp: '1' }];
  const { blocks } = cardOf(transferKinds, { transfer: { ...send, state: 'sent', endedAt: new Date(), files } });
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
    { state: 'sent', endedAt, progress: { difference } },
    undefined,
    /^⚠️ Sent with differences.*other\.doc/s,
  ],
  [
    'has an unknown outcome and an unexpected transfer in the history',
    { state: 'unknown', endedAt, progress: { difference } },
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
  const files = [plan, { ...plan, id: 'F2', name: 'map.png' }];
  const result = { code, message: 'Something went wrong.', names: ['plan.pdf'] };
  const transfer: Send = { ...send, state: 'failed', endedAt, files, progress: { result } };
  const { blocks } = cardOf(transferKinds, { transfer });
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
] as const)('the card shows the state of a request that %s', (_, progress, state, pattern) => {
  const transfer: FileRequest = { ...request, state, endedAt, progress };
  const { text, blocks } = cardOf(transferKinds, { transfer, unit: 'days' });
  expect(textsIn(blocks).join(' ')).toMatch(pattern);
  expect(text).toMatch(pattern);
});

test("a request's card offers Ask again and Tick off only after the request has ended", () => {
  const checklist = { message: '', points: ['Passport'] };
  const labelsOf = (ended: Date | undefined) => {
    const transfer: FileRequest = { ...request, state: 'sent', createdAt: endedAt, endedAt: ended, checklist };
    const card = cardOf(transferKinds, { transfer });
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
