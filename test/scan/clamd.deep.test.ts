import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  const socket = join(folder, 'clamd.sock');
  let clamd: ChildProcess | undefined;
  const options = (more: Partial<ClamdOptions> = {}): ClamdOptions => ({
    address: { path: socket },
    maxBytes: streamMaxBytes,
    ...more,
  });

  beforeAll(async () => {
    const database = join(folder, 'db');
    mkdirSync(database);
    // A signature database of our own, which finds one string at any offset of any file.
    writeFileSync(join(database, 'test.ndb'), `${testSignature}:0:*:${Buffer.from(testMalware).toString('hex')}\n`);
    const config = [
      `DatabaseDirectory ${database}`,
      `LocalSocket ${socket}`,
      'Foreground yes',
      `User ${userInfo().username}`,
      `StreamMaxLength ${streamMaxBytes}`,
      `MaxFileSize ${maxFileBytes}`,
      'AlertExceedsMax yes',
    ];
    writeFileSync(join(folder, 'clamd.conf'), `${config.join('\n')}\n`);
    clamd = spawn(program ?? '', ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' });
    await until(() => readVersion(options()).catch(() => undefined), 'clamd to start');
  });

  afterAll(() => {
    clamd?.kill('SIGKILL');
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
});
