import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import type { FileRules } from '../../src/features/settings/repository.ts';
import { stageFiles } from '../../src/features/staging/operations.ts';
import { readDraft } from '../../src/features/staging/repository.ts';
import { failureOf } from '../helpers/exchange.ts';
import { admin, anna } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { officeFiles, zipOf } from '../scan/helper.ts';
import { setUpScannedTransfers } from './scanned-transfers.ts';

const postgres = startTestPostgres();

const program = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0'), Buffer.alloc(10_000)]);
const noPrograms: Partial<FileRules> = { fileTypes: 'block', extensions: ['exe', 'scr'] };
const onlyPdf: Partial<FileRules> = { fileTypes: 'allow', extensions: ['pdf', 'docx'] };
const onlyCsv: Partial<FileRules> = { fileTypes: 'allow', extensions: ['csv', 'odd'] };

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
  const staging = stageFiles(
    services,
    anna,
    ['F1'],
    [{ id: 'F1', name, size: 7, stamp: '1', isSnippet: false, isShared: true }],
  );
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
  const { state, progress } = await send(['F1'], () => setPolicies(noPrograms));
  expect(state).toBe('failed');
  expect(progress.result).toMatchObject({ code: 'not-allowed', names: ['setup.exe'] });
  expect(server.calls.filter(({ operation }) => operation === 'upload')).toEqual([]);
  expect(account.drops).toEqual([]);
});

const iso = Buffer.concat([Buffer.alloc(0x8001), Buffer.from('CD001'), Buffer.alloc(2_000)]);
const archive = zipOf({ 'payroll.csv': 'Anna;100' });
const noZip: Partial<FileRules> = { fileTypes: 'block', extensions: ['zip'] };

const disguised: [what: string, data: string | Buffer, name: string, Partial<FileRules>, looksLike: RegExp][] = [
  ['a program', program, 'report.pdf', noPrograms, /looks like a \.exe file/],
  ['a program', program, 'setup.dll', noPrograms, /looks like a \.exe file/],
  ['a program', program, 'report.pdf', { fileTypes: 'block', extensions: ['scr'] }, /looks like a \.exe file/],
  ['a program', program, 'report.pdf', onlyPdf, /looks like a \.exe file/],
  ['HTML', '<!doctype html><script>', 'report.pdf', onlyPdf, /doesn't look like a \.pdf file/],
  ['a batch file', '@echo off\r\n', 'report.pdf', onlyPdf, /doesn't look like a \.pdf file/],
  ['CSV', 'name;pay\n', 'report.pdf', onlyPdf, /doesn't look like a \.pdf file/],
  ['an ISO image', iso, 'report.pdf', onlyPdf, /looks like a \.iso file/],
  ['a zip file after one byte', Buffer.concat([Buffer.from('x'), archive]), 'report.pdf', onlyPdf, /doesn't look/],
  ['a zip file after one byte', Buffer.concat([Buffer.from('x'), archive]), 'a.csv', onlyCsv, /doesn't look/],
  ['a zip file', archive, 'report.docx', onlyPdf, /looks like a \.zip file/],
  ['a zip file', archive, 'report.docx', noZip, /looks like a \.zip file/],
  ['a zip file', archive, 'report.kmz', noZip, /looks like a \.zip file/],
];

test('the review refuses files whose content has another type than their name', async () => {
  const { sourceFiles, setPolicies, prepare, account } = await setUpScannedTransfers(postgres);
  for (const [what, data, name, policies, looksLike] of disguised) {
    await setPolicies(policies);
    sourceFiles.put('F1', name, data);
    const error = await failureOf(prepare());
    expect(error, `${what} as ${name}`).toMatchObject({ code: 'not-allowed', field: 'files', names: [name] });
    expect(error, `${what} as ${name}`).toMatchObject({ message: expect.stringMatching(looksLike) as string });
  }
  expect(account.uploads).toEqual([]);
});

test('the content is checked again during the upload, before anything is sent', async () => {
  const { sourceFiles, setPolicies, send, account, notifications } = await setUpScannedTransfers(postgres);
  await setPolicies(onlyPdf);
  sourceFiles.put('F1', 'ok.pdf', '%PDF-1.7\n');
  sourceFiles.put('F2', 'plan.pdf', '%PDF-1.7\n');
  const { state, progress } = await send(['F1', 'F2'], () => sourceFiles.put('F2', 'plan.pdf', program.subarray(0, 9)));
  expect(state).toBe('failed');
  expect(progress.result).toMatchObject({ code: 'not-allowed', names: ['plan.pdf'] });
  expect(progress.result?.message).toMatch(/^“plan\.pdf” looks like a \.exe file\. .* Nothing was sent\.$/);
  expect(account).toMatchObject({ drops: [], uploads: [], receivers: [] });
  expect(notifications.alarms).toEqual([]);
});

test('the review reads only the start of a few files at a time', async () => {
  const { services, setPolicies, prepare } = await setUpScannedTransfers(postgres);
  await setPolicies(onlyPdf);
  const ids = Array.from({ length: 12 }, (_, number) => `F${number}`);
  const chunk = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(16_384)]);
  let [open, most, chunks] = [0, 0, 0];
  services.sources = {
    inspect: async (_, id) => ({ name: `${id}.pdf`, size: 1e9, stamp: '1', isSnippet: false, isShared: true }),
    async open() {
      most = Math.max(most, ++open);
      return new Readable({
        read() {
          chunks++;
          setImmediate(() => this.push(chunk));
        },
        destroy(error, callback) {
          open--;
          callback(error);
        },
      });
    },
  };
  expect((await prepare({ files: ids })).files).toHaveLength(12);
  expect(open).toBe(0);
  expect(most).toBe(4);
  expect(chunks).toBeLessThan(12 * 8);
});

test('a file that Slack does not send is refused at review, at its field', async () => {
  const { services, sourceFiles, setPolicies, prepare } = await setUpScannedTransfers(postgres);
  await setPolicies(onlyPdf);
  sourceFiles.put('F1', 'plan.pdf', '%PDF-1.7\n');
  services.sources = {
    inspect: (workspace, id) => sourceFiles.inspect(workspace, id),
    open: () => Promise.reject(new Error('reset')),
  };
  expect(await failureOf(prepare())).toMatchObject({
    code: 'file-failed',
    field: 'files',
    message: "“plan.pdf” couldn't be read. Try again later.",
  });
});

const allowed: [name: string, data: string | Buffer, Partial<FileRules>][] = [
  ['plan.pdf', '%PDF-1.7\n', onlyPdf],
  ['plan.docx', officeFiles.docx, onlyPdf],
  ['plan.docx', officeFiles.docxByLibreOffice, onlyPdf],
  ['plan.docx', officeFiles.docx, noZip],
  ['plan.docx', officeFiles.docxByLibreOffice, noZip],
  ['plan.csv', 'name;pay\n', onlyCsv],
  ['plan.odd', 'odd', onlyCsv],
  ['plan.odd', Buffer.alloc(10), onlyCsv],
  ['photo.png', Buffer.from('ffd8ffe000104a46494600', 'hex'), { fileTypes: 'allow', extensions: ['png', 'jpg'] }],
  ['plan.pdf', program, { fileTypes: 'any' }],
];

test('files are sent if the file rules allow their content', async () => {
  const { sourceFiles, setPolicies, send, account } = await setUpScannedTransfers(postgres);
  for (const [name, data, policies] of allowed) {
    await setPolicies(policies);
    sourceFiles.put('F1', name, data);
    expect(await send(['F1']), name).toMatchObject({ state: 'sent' });
  }
  const sizes = allowed.map(([, data]) => [Buffer.from(data).length]);
  expect(account.drops.map(({ files }) => files.map(({ bytes }) => bytes))).toEqual(sizes);
});

test("file types and extensions that don't fit together are rejected", async () => {
  const { services, setPolicies } = await setUpScannedTransfers(postgres);
  expect(await failureOf(setPolicies({ fileTypes: 'allow' }))).toMatchObject({ field: 'extensions' });
  expect(await failureOf(setPolicies({ fileTypes: 'any', extensions: ['exe'] }))).toMatchObject({
    field: 'extensions',
    message: 'Choose “Only these” or “All except these”, or empty this field.',
  });
  expect(await failureOf(setPolicies({ fileTypes: 'block', extensions: ['*.exe'] }))).toMatchObject({
    field: 'extensions',
  });
  await changeSettings(services, admin, { message: 'Hi' });
});
