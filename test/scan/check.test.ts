import { expect, test } from 'vitest';
import { malwareScanner } from '../../src/check/machine.ts';
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
