import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import type { Policies } from '../../src/features/settings/policies/fields.ts';
import { stageFiles } from '../../src/features/staging/operations.ts';
import { readDraft } from '../../src/features/staging/repository.ts';
import { failureOf } from '../helpers/exchange.ts';
import { admin, anna } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpScannedTransfers } from './scanned-transfers.ts';

const postgres = startTestPostgres();

const program = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0'), Buffer.alloc(10_000)]);
const noPrograms: Partial<Policies> = { fileTypes: 'block', extensions: ['exe', 'scr'] };
const onlyPdf: Partial<Policies> = { fileTypes: 'allow', extensions: ['pdf', 'docx'] };

test.each([
  ['setup.exe', noPrograms],
  ['SETUP.EXE', noPrograms],
  ['setup.exe. ', noPrograms],
  ['report\u202Efdp.exe', noPrograms],
  ['setup.e\u200bxe', noPrograms],
  ['plan.pdf.scr', noPrograms],
  ['\u200d.exe', noPrograms],
  ['plan.zip', onlyPdf],
  ['plan', onlyPdf],
  ['pdf', onlyPdf],
])('a file named %j is refused when it is staged and when it is reviewed', async (name, policies) => {
  const { services, sourceFiles, setPolicies, prepare, account } = await setUpScannedTransfers(postgres);
  await setPolicies(policies);
  sourceFiles.put('F1', name, 'content');
  const staging = stageFiles(services, anna, ['F1'], [{ id: 'F1', name, size: 7, stamp: '1', isSnippet: false }]);
  expect(await failureOf(staging)).toMatchObject({ code: 'not-allowed', names: [name] });
  expect((await readDraft(services, anna)).staged).toEqual([]);
  expect(await failureOf(prepare())).toMatchObject({ code: 'not-allowed', field: 'files' });
  expect(account.uploads).toEqual([]);
});

test('the review refuses a file or a transfer over the size limit', async () => {
  const { sourceFiles, setPolicies, prepare } = await setUpScannedTransfers(postgres);
  sourceFiles.put('F1', 'a.bin', Buffer.alloc(1_000_001));
  sourceFiles.put('F2', 'b.bin', Buffer.alloc(1_000_000));
  await setPolicies({ maxFileMb: 1 });
  const tooLarge = await failureOf(prepare({ files: ['F1', 'F2'] }));
  expect(tooLarge).toMatchObject({ names: ['a.bin'], message: expect.stringContaining('1 MB per file') });
  await prepare({ files: ['F2'] });
  await setPolicies({ maxTotalMb: 2 });
  expect(await failureOf(prepare({ files: ['F1', 'F2'] }))).toMatchObject({
    message: expect.stringContaining('2 MB per transfer'),
  });
  await prepare({ files: ['F1'] });
});

test('if file rules change after the review, the transfer stops before any upload', async () => {
  const { sourceFiles, setPolicies, send, server, account } = await setUpScannedTransfers(postgres);
  sourceFiles.put('F1', 'setup.exe', 'content');
  const { state, details } = await send(['F1'], () => setPolicies(noPrograms));
  expect(state).toBe('failed');
  expect(details?.result).toMatchObject({ code: 'not-allowed', names: ['setup.exe'] });
  expect(server.calls.filter(({ operation }) => operation === 'upload')).toEqual([]);
  expect(account.drops).toEqual([]);
});

test.each([
  ['blocked', noPrograms],
  ['blocked as .scr', { fileTypes: 'block', extensions: ['scr'] } satisfies Partial<Policies>],
  ['not allowed', onlyPdf],
])("a program named plan.pdf isn't sent if programs are %s", async (_, policies) => {
  const { sourceFiles, setPolicies, send, account, notifications } = await setUpScannedTransfers(postgres);
  await setPolicies(policies);
  sourceFiles.put('F1', 'ok.pdf', '%PDF-1.7\n');
  sourceFiles.put('F2', 'plan.pdf', program);
  const { state, details } = await send(['F1', 'F2']);
  expect(state).toBe('failed');
  expect(details?.result).toMatchObject({ code: 'not-allowed', names: ['plan.pdf'] });
  expect(details?.result?.message).toMatch(/^“plan\.pdf” looks like a \.exe file\. .* Nothing was sent\.$/);
  expect(account).toMatchObject({ drops: [], uploads: [], receivers: [] });
  expect(notifications.alarms).toEqual([]);
});

test.each([
  ['plan.pdf', '%PDF-1.7\n', onlyPdf],
  ['plan.pdf', 'text has no signature', onlyPdf],
  ['plan.docx', Buffer.from('504b0304140000000800', 'hex'), onlyPdf],
  [
    'plan.docx',
    Buffer.from('504b0304140000000800', 'hex'),
    { fileTypes: 'block', extensions: ['zip'] } satisfies Partial<Policies>,
  ],
  ['plan.pdf', program, { fileTypes: 'any', extensions: ['exe'] } satisfies Partial<Policies>],
])('the file %s is sent if the file rules allow its content', async (name, data, policies) => {
  const { sourceFiles, setPolicies, send, account } = await setUpScannedTransfers(postgres);
  await setPolicies(policies);
  sourceFiles.put('F1', name, data);
  expect(await send(['F1'])).toMatchObject({ state: 'sent' });
  expect(account.drops.map(({ files }) => files.map(({ bytes }) => bytes))).toEqual([[Buffer.from(data).length]]);
});

test('a file type rule without extensions or with an invalid one is rejected', async () => {
  const { services, setPolicies } = await setUpScannedTransfers(postgres);
  expect(await failureOf(setPolicies({ fileTypes: 'allow' }))).toMatchObject({ field: 'extensions' });
  expect(await failureOf(setPolicies({ fileTypes: 'block', extensions: ['*.exe'] }))).toMatchObject({
    field: 'extensions',
  });
  await changeSettings(services, admin, { message: 'Hi' });
});
