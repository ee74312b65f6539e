import { readOptions } from '../lib/usage.ts';
import type { CheckResult } from './checks.ts';

const usage = `Usage: npm run check, or node dist/main.js check [--json]

Checks the variables, the database, the key, Slack, the public address, the clock, the scanner and the disk.
✓ met · ✗ not met (a fix follows) · – not applicable. Exits with 1 if any is not met. Changes nothing.

  --json   one JSON object: {"ok":…,"checks":[{"name":…,"status":"ok|failed|skipped","message":…,"fix":…}]}
`;

export async function check(args: string[], environment: () => NodeJS.ProcessEnv): Promise<void> {
  const options = readOptions(args, usage, { json: { type: 'boolean' } });
  if (options === undefined) return;
  const { checkAll } = await import('./checks.ts');
  const checks = await checkAll(environment());
  const isOk = checks.every(({ status }) => status !== 'failed');
  process.stdout.write(options.json ? `${JSON.stringify({ ok: isOk, checks })}\n` : checks.map(lineOf).join(''));
  if (!isOk) process.exitCode = 1;
}

const symbols = { ok: '✓', failed: '✗', skipped: '–' };

export function lineOf({ name, status, message, fix }: CheckResult): string {
  const line = `${symbols[status]} ${name}: ${message}\n`;
  return fix === undefined ? line : `${line}  → ${fix}\n`;
}
