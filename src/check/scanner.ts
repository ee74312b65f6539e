import type { Config } from '../config.ts';
import { createScanner } from '../scan/index.ts';
import { failed, ok, type Result, reasonOf, skipped } from './result.ts';
import { eicar, encryptedZip, zip } from './test-files.ts';

/** What clamd must not call clean, and what to do if it does. */
const tests = [
  { what: 'the EICAR test file', bytes: eicar, fix: 'Load its signatures: run freshclam' },
  { what: 'the EICAR test file in a zip file', bytes: zip, fix: 'Set ScanArchive yes in clamd.conf' },
  { what: 'an encrypted zip file', bytes: encryptedZip, fix: 'Set AlertEncrypted yes in clamd.conf' },
];

/** Asks clamd for its version, and tries whether it reports malware and what it can't scan. */
export async function malwareScanner({ scan }: Pick<Config, 'scan'>): Promise<Result> {
  if (scan === undefined) return skipped("CLAMD_HOST isn't set: files aren't scanned");
  const scanner = createScanner(scan);
  let version: string;
  try {
    version = await scanner.readVersion();
  } catch (error) {
    return failed(`The scanner doesn't answer: ${reasonOf(error)}`, 'Start clamd, or correct CLAMD_HOST.');
  }
  for (const { what, bytes, fix } of tests) {
    const running = scanner.start();
    running.write(bytes);
    running.end();
    const verdict = await running.verdict;
    if (verdict.state === 'clean') return failed(`The scanner calls ${what} clean`, `${fix}, then restart clamd.`);
    if (verdict.state === 'not-scanned' && bytes === eicar)
      return failed(`The EICAR test file wasn't scanned. ${verdict.reason}`, "Look at clamd's log.");
  }
  return ok(version);
}
