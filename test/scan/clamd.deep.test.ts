import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { malwareScanner } from '../../src/check/scanner.ts';
import { eicar, encryptedZip } from '../../src/check/test-files.ts';
import { testMalware, testSignature } from '../../src/sandbox/scanner.ts';
import { type ClamdOptions, readVersion, startScan } from '../../src/scan/clamd.ts';
import { until } from '../helpers/features.ts';
import { describeIf } from '../helpers/skips.ts';

/** Debian installs it in /usr/sbin, which isn't in everyone's PATH. */
const program = ['clamd', '/usr/sbin/clamd'].find((path) => spawnSync(path, ['--help']).error === undefined);

const streamMaxBytes = 3_000_000;
const maxFileBytes = 2_000_000;

describeIf(program !== undefined, 'clamd not found', "Debian's clamd", () => {
  const folder = mkdtempSync(join(tmpdir(), 'dropline-clamd-'));
  const processes: ChildProcess[] = [];
  const socketOf = (name: string) => join(folder, `${name}.sock`);
  const options = (more: Partial<ClamdOptions> = {}): ClamdOptions => ({
    address: { path: socketOf('strict') },
    maxBytes: streamMaxBytes,
    ...more,
  });

  /** Starts clamd with these settings, and a database of our own. */
  async function startClamd(name: string, settings: readonly string[]): Promise<void> {
    const database = join(folder, name);
    mkdirSync(database);
    // The first is found at any offset of any file, the second only at the start, like ClamAV's own signature.
    const found = `${testSignature}:0:*:${Buffer.from(testMalware).toString('hex')}\n`;
    writeFileSync(join(database, 'test.ndb'), `${found}Eicar-Test-Signature:0:0:${eicar.toString('hex')}\n`);
    const config = [
      `DatabaseDirectory ${database}`,
      `LocalSocket ${socketOf(name)}`,
      'Foreground yes',
      `User ${userInfo().username}`,
      `StreamMaxLength ${streamMaxBytes}`,
      `MaxFileSize ${maxFileBytes}`,
      ...settings,
    ];
    const file = join(folder, `${name}.conf`);
    writeFileSync(file, `${config.join('\n')}\n`);
    processes.push(spawn(program ?? '', ['--config-file', file], { stdio: 'ignore' }));
    const address = { path: socketOf(name) };
    await until(() => readVersion(options({ address })).catch(() => undefined), 'clamd to start');
  }

  beforeAll(() => startClamd('strict', ['AlertExceedsMax yes', 'AlertEncrypted yes']));

  afterAll(() => {
    for (const clamd of processes) clamd.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  async function scan(chunks: readonly Buffer[], more: Partial<ClamdOptions> = {}) {
    const running = startScan(options(more));
    for (const chunk of chunks) {
      if (!running.write(chunk)) await new Promise<void>((resolve) => running.onReady(resolve));
    }
    running.end();
    return running.verdict;
  }

  const zeros = (bytes: number) => Array.from({ length: bytes / 100_000 }, () => Buffer.alloc(100_000));

  test('readVersion returns the version of clamd', async () => {
    expect(await readVersion(options())).toMatch(/^ClamAV \d+\.\d+/);
  });

  test('clamd reports ordinary, empty and large files as clean', async () => {
    expect(await scan([Buffer.from('nothing to find')])).toEqual({ state: 'clean' });
    expect(await scan([])).toEqual({ state: 'clean' });
    expect(await scan(zeros(1_500_000))).toEqual({ state: 'clean' });
  });

  test('clamd finds malware, also at the end of a large file and across chunks', async () => {
    const found = expect.objectContaining({
      state: 'infected',
      signature: expect.stringContaining(testSignature) as string,
    }) as unknown;
    const malware = Buffer.from(testMalware);
    expect(await scan([malware])).toEqual(found);
    expect(await scan([...zeros(1_000_000), malware.subarray(0, 7), malware.subarray(7)])).toEqual(found);
  });

  test('with AlertExceedsMax, a file beyond MaxFileSize counts as not scanned', async () => {
    expect(await scan(zeros(2_500_000))).toMatchObject({ state: 'not-scanned' });
  });

  test('a file beyond StreamMaxLength counts as not scanned', async () => {
    expect(await scan(zeros(5_000_000), { maxBytes: 1e9 })).toMatchObject({ state: 'not-scanned' });
  });

  const check = (name: string) =>
    malwareScanner({ scan: { address: { path: socketOf(name) }, maxBytes: streamMaxBytes, isRequired: false } });

  test('with AlertEncrypted, an encrypted archive counts as not scanned', async () => {
    expect(await check('strict')).toMatchObject({ status: 'ok' });
    expect(await scan([encryptedZip])).toEqual({
      state: 'not-scanned',
      reason: "The file is encrypted, so the scanner can't read it.",
    });
  });

  test('the check names the setting that makes clamd call malware clean', async () => {
    await startClamd('default', []);
    expect(await check('default')).toMatchObject({
      status: 'failed',
      fix: expect.stringContaining('AlertEncrypted yes'),
    });
    await startClamd('no-archives', ['ScanArchive no', 'AlertEncrypted yes']);
    expect(await check('no-archives')).toMatchObject({
      status: 'failed',
      fix: expect.stringContaining('ScanArchive yes'),
    });
  });
});
