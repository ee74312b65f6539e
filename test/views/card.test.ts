import { expect, test } from 'vitest';
import type { TransferDetails } from '../../src/features/outgoing/ledger.ts';
import { requestCard } from '../../src/features/request/views-card.ts';
import { type CardState, cardOf } from '../../src/features/send/card.ts';

const details: TransferDetails = {
  files: [{ id: 'F1', name: 'plan.pdf', size: 8 }],
  receivers: [{ email: 'carl@example.org', number: '46700000001' }],
  message: '',
  timeToLive: 7,
} as unknown as TransferDetails;

function titleOf(change: Partial<CardState['transfer']>, phase?: NonNullable<CardState['progress']>['phase']): string {
  const transfer = { id: 'D1', person: 'U1', isSeen: true, details, ...change } as CardState['transfer'];
  const progress = phase && { phase, file: 1, files: 1, bytes: 8, totalBytes: 8 };
  return cardOf({ transfer, progress, rate: undefined, ahead: 0 }).text;
}

const difference = { code: 'difference', sentence: 'A strange drop.', names: ['other.doc'] };
const endedAt = new Date();

test.each([
  ['is being sent', { state: 'committing' }, undefined, /^Sending/],
  ['has just been uploaded is being sent', { state: 'committing' }, 'uploading', /^Sending/],
  ['was sent without an answer is asked about', { state: 'committing' }, 'settling', /^Finding out/],
  ['was accepted is checked', { state: 'sent' }, 'cleaning', /^Sent: .* Checking the history/],
  ['is cleaned up after says so', { state: 'running' }, 'stopping', /^Stopping: .* Nothing was sent.* clean up/],
  ['is to stop says so', { state: 'waiting', cancelledBy: 'U1' }, undefined, /^Stopping: .* Nothing will be sent/],
  ['is to stop while it uploads says so', { state: 'running', cancelledBy: 'U1' }, 'uploading', /^Stopping/],
  ['ended well', { state: 'sent', endedAt }, undefined, /^✅ Sent/],
  [
    'went out otherwise is not called well',
    { state: 'sent', endedAt, details: { ...details, difference } },
    undefined,
    /^⚠️ Sent, but not as confirmed.*other\.doc/s,
  ],
  [
    'nobody knows of is not called sent because of a strange drop',
    { state: 'unknown', endedAt, details: { ...details, difference } },
    undefined,
    /^⚠️ Not known whether it was sent.*other\.doc/s,
  ],
] as const)('the card of a dispatch that %s', (_, change, phase, words) => {
  expect(titleOf(change, phase)).toMatch(words);
});

test.each([
  ['went out', {}, 'sent', /^Asked 1 person for files: carl@example\.org\b/],
  ['went out otherwise', { difference }, 'sent', /^⚠️ Asked 1 person .*not as confirmed.*other\.doc.*paused/s],
  ['nobody knows of, beside a strange drop', { difference }, 'unknown', /^⚠️ Nobody knows .*other\.doc.*paused/s],
] as const)('the card of a request that %s', (_, more, state, words) => {
  const transfer = { id: 'D1', person: 'U1', state, endedAt, details: { ...details, ...more } };
  const { text, blocks } = requestCard(transfer as unknown as CardState['transfer'], 'days');
  expect(textsIn(blocks).join(' ')).toMatch(words);
  expect(text).toMatch(words);
});

const textsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
      );
