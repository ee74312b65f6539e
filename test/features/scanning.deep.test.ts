import { expect, test } from 'vitest';
import { anna, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { startTestScanner } from '../scan/helper.ts';
import { setUpScannedTransfers } from './scanned-transfers.ts';

const postgres = startTestPostgres();
const scanner = startTestScanner();

const setUp = (more: Partial<Parameters<typeof setUpScannedTransfers>[1]> = {}) =>
  setUpScannedTransfers(postgres, { server: scanner.server, ...more });

const failures = [
  ['closes each connection', () => Object.assign(scanner.server.behaviour, { mode: 'closes' })],
  ['dies in the middle', () => Object.assign(scanner.server.behaviour, { mode: 'dies' })],
  ['stalls', () => Object.assign(scanner.server.behaviour, { mode: 'stalls' })],
  ['never answers', () => Object.assign(scanner.server.behaviour, { mode: 'never answers' })],
  ['answers garbage', () => Object.assign(scanner.server.behaviour, { answer: 'everything is fine\0' })],
  ['has a smaller limit than configured', () => Object.assign(scanner.server.behaviour, { maxBytes: 10 })],
] as const;

const limits = { connectMs: 2_000, stallMs: 300, answerMs: 300 };

test.each(failures)('if the scanner %s, files are blocked or sent with a note', async (_, misbehave) => {
  const { sourceFiles, send, setPolicies, account, logged, verdicts } = await setUp({ limits, maxBytes: 1e9 });
  misbehave();
  sourceFiles.put('F1', 'a.bin', Buffer.alloc(300_000));
  const blocked = await send(['F1']);
  expect(blocked.progress.result).toMatchObject({ code: 'not-scanned', names: ['a.bin'] });
  expect(blocked.progress.result?.message).toContain("couldn't be scanned for malware, so it was blocked.");
  expect(account).toMatchObject({ drops: [], uploads: [] });
  await setPolicies({ unscanned: 'note' });
  const passed = await send(['F1']);
  expect(passed).toMatchObject({ state: 'sent', progress: { scan: { clean: 0, unscanned: [{ name: 'a.bin' }] } } });
  expect(account.drops.map(({ files }) => files.map(({ bytes }) => bytes))).toEqual([[300_000]]);
  expect(verdicts).toEqual(['not-scanned', 'not-scanned']);
  expect(logged.filter(({ msg }) => msg === 'file not scanned')).toHaveLength(2);
});

test('if an upload is retried with a new token, the whole file is scanned again', async () => {
  const { sourceFiles, send, server, account } = await setUp();
  sourceFiles.put('F1', 'a.bin', Buffer.alloc(200_000));
  server.addFault({ operation: 'upload', kind: 'wrong-token' });
  expect(await send(['F1'])).toMatchObject({ state: 'sent', progress: { scan: { clean: 1 } } });
  expect(scanner.server.scanned.at(-1)).toBe(200_000);
  expect(account.drops).toHaveLength(1);
});

test("if a transfer is cancelled during its scan, it isn't sent", async () => {
  const { services, sourceFiles, send, account, verdicts, logged } = await setUp();
  let isWaiting = false;
  scanner.server.behaviour.beforeVerdict = () => {
    isWaiting = true;
    return new Promise(() => {});
  };
  sourceFiles.put('F1', 'a.txt', 'A');
  const sending = send(['F1']);
  await until(() => isWaiting || undefined, 'the scan');
  await services.store.pool.query(`update dropline.transfers set cancelled_by = $1`, [anna.person]);
  expect(await sending).toMatchObject({ state: 'cancelled' });
  expect(account).toMatchObject({ drops: [], uploads: [] });
  expect(verdicts).toEqual([]);
  expect(logged.filter(({ msg }) => msg === 'file not scanned')).toEqual([]);
});
