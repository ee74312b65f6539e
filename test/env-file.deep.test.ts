import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { usePrograms } from './helpers/program.ts';

const programs = usePrograms();

async function makeFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dropline-env-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'env'), text);
  return join(folder, 'env');
}

test('the main program reads ENV_FILE, and environment variables override it', async () => {
  const ENV_FILE = await makeFile('PORT=x\nLOG_LEVEL=loud\n');
  const { ended, printed } = programs.run('src/main.ts', ['all'], { ENV_FILE, LOG_LEVEL: 'info' });
  expect(await ended).toMatchObject({ code: 1 });
  expect(printed()).toContain('PORT must be a port');
  expect(printed()).not.toContain('LOG_LEVEL');
});
