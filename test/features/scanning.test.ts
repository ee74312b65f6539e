import { expect, test } from 'vitest';
import { scannerState } from '../../src/features/scanning/operations.ts';
import { storeScanRequirement } from '../../src/features/settings/policies/repository.ts';
import { testMalware, testSignature } from '../../src/sandbox/scanner.ts';
import { failureOf } from '../helpers/exchange.ts';
import { anna } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { startTestScanner } from '../scan/helper.ts';
import { setUpScannedTransfers } from './scanned-transfers.ts';

const postgres = startTestPostgres();
const scanner = startTestScanner();

const setUp = (more: Partial<Parameters<typeof setUpScannedTransfers>[1]> = {}) =>
  setUpScannedTransfers(postgres, { server: scanner.server, ...more });

test('each file is scanned once, during its upload, and the audit log shows the scan', async () => {
  const { services, sourceFiles, send, account, verdicts, logged } = await setUp();
  sourceFiles.put('F1', 'a.bin', Buffer.alloc(300_000));
  sourceFiles.put('F2', 'b.txt', 'B');
  expect(await send(['F1', 'F2'])).toMatchObject({ state: 'sent', progress: { scan: { clean: 2, unscanned: [] } } });
  expect(scanner.server.scanned).toEqual([300_000, 1]);
  expect(account.drops).toHaveLength(1);
  expect(verdicts).toEqual(['clean', 'clean']);
  expect(logged.filter(({ msg }) => String(msg).includes('scan'))).toEqual([]);
  const [entry] = (await services.store.audit.list('T1')).filter(({ action }) => action === 'send');
  expect(entry?.details).toMatchObject({ scan: { clean: 2 } });
});

test('malware stops the transfer before createdrop and removes all uploads', async () => {
  const { sourceFiles, send, server, account, notifications, verdicts, logged } = await setUp();
  sourceFiles.put('F1', 'clean.txt', 'clean');
  sourceFiles.put('F2', 'bad.txt', `before ${testMalware} after`);
  const { state, progress } = await send(['F1', 'F2']);
  const message = `Malware found in “bad.txt”: ${testSignature}. Nothing was sent.`;
  expect(state).toBe('failed');
  expect(progress.result).toEqual({ code: 'infected', message, names: ['bad.txt'] });
  expect(server.calls.map(({ operation }) => operation)).not.toContain('createdrop');
  expect(account).toMatchObject({ drops: [], uploads: [], receivers: [] });
  expect(notifications.alarms).toEqual([{ kind: 'malware', direction: 'sent', person: anna.person, message }]);
  expect(verdicts).toEqual(['clean', 'infected']);
  expect(logged).toContainEqual({ workspace: 'T1', signature: testSignature, msg: 'malware found' });
});

test('if a file of the same size replaces a reviewed file, the new file is scanned', async () => {
  const { sourceFiles, send, account } = await setUp();
  sourceFiles.put('F1', 'a.txt', 'x'.repeat(testMalware.length));
  const { progress } = await send(['F1'], () => sourceFiles.put('F1', 'a.txt', testMalware));
  expect(progress.result?.code).toBe('infected');
  expect(account.drops).toEqual([]);
});

const limits = { connectMs: 2_000, stallMs: 300, answerMs: 300 };

test("with SCAN_REQUIRED, a file that can't be scanned is always blocked", async () => {
  const { sourceFiles, send, setPolicies, account } = await setUp({ isRequired: true, limits });
  await setPolicies({ unscanned: 'note' });
  scanner.server.behaviour.mode = 'closes';
  sourceFiles.put('F1', 'a.txt', 'A');
  expect((await send(['F1'])).progress.result).toMatchObject({ code: 'not-scanned' });
  expect(account.drops).toEqual([]);
});

test('a file over the scan limit is blocked, or sent with a note if allowed', async () => {
  const { sourceFiles, send, prepare, setPolicies, account } = await setUp({ maxBytes: 1_000_000 });
  sourceFiles.put('F1', 'a.bin', Buffer.alloc(1_000_001));
  expect(await failureOf(prepare())).toMatchObject({ code: 'not-scanned', field: 'files', names: ['a.bin'] });
  await setPolicies({ unscanned: 'note' });
  const blocked = await send(['F1'], () => setPolicies({ unscanned: 'block' }));
  expect(blocked.progress.result).toMatchObject({ code: 'not-scanned', names: ['a.bin'] });
  expect(account.drops).toEqual([]);
  await setPolicies({ unscanned: 'note' });
  expect(await send(['F1'])).toMatchObject({
    state: 'sent',
    progress: { scan: { clean: 0, unscanned: [{ reason: 'The file is larger than the scanner accepts.' }] } },
  });
  expect(scanner.server.scanned).toEqual([]);
});

test('without a scanner, files are sent and no scan is mentioned', async () => {
  const { sourceFiles, send } = await setUpScannedTransfers(postgres);
  sourceFiles.put('F1', 'a.txt', testMalware);
  const { state, progress } = await send(['F1']);
  expect(state).toBe('sent');
  expect(progress.scan).toBeUndefined();
});

test('a process without a scanner sends nothing if another one requires scanning', async () => {
  const { services, store, sourceFiles, send, account, server } = await setUpScannedTransfers(postgres);
  await storeScanRequirement(services, true);
  sourceFiles.put('F1', 'a.txt', 'A');
  expect((await send(['F1'])).progress.result).toMatchObject({
    code: 'not-scanned',
    message: expect.stringContaining('Dropline requires a malware scanner, and this process has none.') as string,
  });
  expect(server.calls.filter(({ operation }) => operation === 'upload')).toEqual([]);
  expect(account.drops).toEqual([]);
  expect(await scannerState(services)).toEqual({ problem: expect.stringContaining('CLAMD_HOST') as string });
  await storeScanRequirement({ ...services, store }, undefined);
  expect((await send(['F1'])).state).toBe('failed');
});

test('a process with a scanner obeys a requirement that another one stored', async () => {
  const { services, sourceFiles, send, setPolicies, account } = await setUp({ limits });
  await storeScanRequirement(services, true);
  await setPolicies({ unscanned: 'note' });
  scanner.server.behaviour.mode = 'closes';
  sourceFiles.put('F1', 'a.txt', 'A');
  expect((await send(['F1'])).progress.result).toMatchObject({ code: 'not-scanned' });
  expect(account.drops).toEqual([]);
});

test('only SCAN_REQUIRED=false lifts the requirement, and logs it', async () => {
  const { services, sourceFiles, send, logged } = await setUpScannedTransfers(postgres);
  await storeScanRequirement(services, false);
  expect(logged).toEqual([]);
  await storeScanRequirement(services, true);
  await storeScanRequirement(services, false);
  expect(logged).toEqual([{ msg: 'files no longer have to be scanned: SCAN_REQUIRED is false' }]);
  sourceFiles.put('F1', 'a.txt', 'A');
  expect(await send(['F1'])).toMatchObject({ state: 'sent' });
});
