import { expect, test } from 'vitest';
import type { CardState } from '../../src/features/transfers/card.ts';
import type { TransferDetails } from '../../src/features/transfers/repository.ts';
import { cardOf } from '../../src/features/transfers/views.ts';

const details: TransferDetails = {
  files: [{ id: 'F1', name: 'plan.pdf', size: 8 }],
  receivers: [{ email: 'carl@example.org', number: '46700000001' }],
  message: '',
  timeToLive: 7,
} as unknown as TransferDetails;

function titleOf(change: Partial<CardState['transfer']>, phase?: NonNullable<CardState['progress']>['phase']): string {
  const transfer = {
    id: 'D1',
    kind: 'dispatch',
    person: 'U1',
    isSeen: true,
    details,
    ...change,
  } as CardState['transfer'];
  const progress = phase && { phase, file: 1, files: 1, bytes: 8, totalBytes: 8 };
  return cardOf({ transfer, progress }).text;
}

const difference = { code: 'difference', sentence: 'An unexpected transfer.', names: ['other.doc'] };
const endedAt = new Date();

test.each([
  ['is being sent, without progress', { state: 'committing' }, undefined, /^Sending/],
  ['has just been uploaded', { state: 'committing' }, 'uploading', /^Sending/],
  ['was sent without an answer', { state: 'committing' }, 'settling', /^Finding out/],
  ['was accepted and is being checked', { state: 'sent' }, 'cleaning', /^Sent: .* Checking the history/],
  ['is being cleaned up', { state: 'running' }, 'stopping', /^Stopping: .* Nothing was sent.* clean up/],
  [
    'was cancelled in the queue',
    { state: 'waiting', cancelledBy: 'U1' },
    undefined,
    /^Stopping: .* Nothing will be sent/,
  ],
  ['was cancelled during the upload', { state: 'running', cancelledBy: 'U1' }, 'uploading', /^Stopping/],
  ['was sent', { state: 'sent', endedAt }, undefined, /^✅ Sent/],
  [
    'was sent with differences',
    { state: 'sent', endedAt, details: { ...details, difference } },
    undefined,
    /^⚠️ Sent, but not as confirmed.*other\.doc/s,
  ],
  [
    'is unknown, with an unexpected transfer in the history',
    { state: 'unknown', endedAt, details: { ...details, difference } },
    undefined,
    /^⚠️ Not known whether it was sent.*other\.doc/s,
  ],
] as const)('the card is right for a transfer that %s', (_, change, phase, words) => {
  expect(titleOf(change, phase)).toMatch(words);
});

test.each([
  ['file-failed', ['Try again …', 'Send without plan.pdf …']],
  ['empty-file', ['Send without plan.pdf …']],
])('the card of a send that ended with %s offers the right next steps', (code, labels) => {
  const files = [...details.files, { ...details.files[0], id: 'F2', name: 'map.png' }];
  const result = { code, sentence: 'It failed.', names: ['plan.pdf'] };
  const change = { state: 'failed', endedAt, details: { ...details, files, result } };
  const transfer = {
    id: 'D1',
    kind: 'dispatch',
    person: 'U1',
    isSeen: true,
    ...change,
  } as unknown as CardState['transfer'];
  const { blocks } = cardOf({ transfer });
  const buttons = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
  expect(textsIn(buttons)).toEqual(labels);
});

test.each([
  ['was sent', {}, 'sent', /^Asked 1 person for files: carl@example\.org\b/],
  ['was sent with differences', { difference }, 'sent', /^⚠️ Asked 1 person .*not as confirmed.*other\.doc.*paused/s],
  [
    'is unknown, with an unexpected transfer in the history',
    { difference },
    'unknown',
    /^⚠️ Nobody knows .*other\.doc.*paused/s,
  ],
] as const)('the card is right for a request that %s', (_, more, state, words) => {
  const transfer = { id: 'D1', kind: 'grant', person: 'U1', state, endedAt, details: { ...details, ...more } };
  const { text, blocks } = cardOf({ transfer: transfer as unknown as CardState['transfer'], unit: 'days' });
  expect(textsIn(blocks).join(' ')).toMatch(words);
  expect(text).toMatch(words);
});

const textsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
      );
