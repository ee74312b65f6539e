import { expect, test } from 'vitest';
import { malwareScanner } from '../../src/check/scanner.ts';
import { freePort } from '../../src/sandbox/free-port.ts';
import { startTestScanner } from './helper.ts';

const scanner = startTestScanner();

const configAt = (port: number) => ({
  scan: { address: { host: '127.0.0.1', port }, maxBytes: 1_000, isRequired: false },
});

test('the scanner check shows the version, fails without an answer, or is skipped', async () => {
  expect(await malwareScanner({ scan: undefined })).toMatchObject({ status: 'skipped' });
  expect(await malwareScanner(configAt(scanner.server.port))).toEqual({
    status: 'ok',
    message: expect.stringMatching(/^ClamAV 1\.0\.0-simulated/) as string,
  });
  expect(await malwareScanner(configAt(await freePort(0)))).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('ECONNREFUSED') as string,
    fix: 'Start clamd, or correct CLAMD_HOST.',
  });
});

test.each([
  ['the EICAR test file', 0, 'Load its signatures: run freshclam, then restart clamd.'],
  ['the EICAR test file in a zip file', 1, 'Set ScanArchive yes in clamd.conf, then restart clamd.'],
])('the scanner check fails if the scanner calls %s clean', async (what, at, fix) => {
  const { server } = scanner;
  server.behaviour.beforeVerdict = async () => {
    server.behaviour.answer = server.scanned.length === at + 1 ? 'stream: OK\0' : undefined;
  };
  expect(await malwareScanner(configAt(server.port))).toEqual({
    status: 'failed',
    message: `The scanner calls ${what} clean`,
    fix,
  });
});

test('the scanner check fails if the scanner calls encrypted archives clean', async () => {
  scanner.server.behaviour.alertsEncrypted = false;
  expect(await malwareScanner(configAt(scanner.server.port))).toEqual({
    status: 'failed',
    message: 'The scanner calls an encrypted zip file clean',
    fix: 'Set AlertEncrypted yes in clamd.conf, then restart clamd.',
  });
});

test("the scanner check fails if the scanner doesn't scan", async () => {
  scanner.server.behaviour.answer = 'INSTREAM size limit exceeded. ERROR\0';
  expect(await malwareScanner(configAt(scanner.server.port))).toMatchObject({
    status: 'failed',
    message: "The EICAR test file wasn't scanned. The file is larger than the scanner accepts.",
  });
});
