import { expect, test } from 'vitest';
import { transferKinds } from '../../src/features/transfer-kinds.ts';
import { cardOf } from '../../src/features/transfers/cards/card.ts';
import type { Send } from '../../src/features/transfers/transfer.ts';
import { waitingSend } from './everyday.ts';

const transfer: Send = {
  ...waitingSend,
  state: 'running',
  files: [{ id: 'F1', name: 'film.mp4', size: 3e9, stamp: '1' }],
  recipients: [{ email: 'carl@example.org', json: '{}' }],
};

const textOf = (bytes: number, rate?: number, totalBytes = 3e9) =>
  cardOf(transferKinds, { transfer, progress: { phase: 'uploading', file: 1, files: 1, bytes, totalBytes }, rate })
    .text;

test.each([
  ['before a rate is known', 0, undefined, '░░░░░░░░░░ 0% · 0 bytes of 3.0 GB'],
  ['with hours left', 1e9, 2e5, '▓▓▓░░░░░░░ 33% · 1.0 GB of 3.0 GB · 200 KB/s · about 3 hours left'],
  ['with minutes left', 1.5e9, 5e6, '▓▓▓▓▓░░░░░ 50% · 1.5 GB of 3.0 GB · 5.0 MB/s · about 5 minutes left'],
  ['near the end', 2.99e9, 5e6, '▓▓▓▓▓▓▓▓▓▓ 99% · 3.0 GB of 3.0 GB · 5.0 MB/s · less than a minute left'],
  ['while the upload stalls', 1.5e9, 0, '▓▓▓▓▓░░░░░ 50% · 1.5 GB of 3.0 GB'],
] as const)('the card shows the progress of an upload %s', (_, bytes, rate, expected) => {
  expect(textOf(bytes, rate)).toBe(`Uploading 1 of 1: 1 file to carl@example.org. ${expected}`);
});

test('empty files count as uploaded', () => {
  expect(textOf(0, undefined, 0)).toContain('▓▓▓▓▓▓▓▓▓▓ 100% · 0 bytes of 0 bytes');
});
