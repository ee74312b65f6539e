import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { isScanRequired } from '../../src/features/settings/policies/repository.ts';
import { createLog } from '../../src/lib/log.ts';
import { openServices } from '../../src/services.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('SCAN_REQUIRED=true holds for all processes until one is started with false', async () => {
  const database = await postgres.createDatabase();
  onTestFinished(() => database.drop());
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const secrets = { DATABASE_URL: database.connectionString, SECRET_KEY: randomBytes(32).toString('base64') };
  const isRequiredAfterStart = async (env: Record<string, string>) => {
    const services = await openServices(readConfig('worker', { ...secrets, ...env }, false), log);
    const isRequired = await isScanRequired(services);
    await services.close();
    return isRequired;
  };
  expect(await isRequiredAfterStart({})).toBe(false);
  expect(await isRequiredAfterStart({ CLAMD_HOST: 'clamd', SCAN_REQUIRED: 'true' })).toBe(true);
  expect(await isRequiredAfterStart({})).toBe(true);
  expect(lines.join('')).not.toContain('no longer');
  expect(await isRequiredAfterStart({ SCAN_REQUIRED: 'false' })).toBe(false);
  expect(lines.join('')).toMatch(/"level":"warn".*files no longer have to be scanned: SCAN_REQUIRED is false/);
  expect(await isRequiredAfterStart({})).toBe(false);
});
