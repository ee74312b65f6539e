import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { envText, saveEnvFile } from '../../src/setup/save.ts';
import { fc } from '../helpers/properties.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dropline-save-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('saving the env file keeps all other lines and the order', () => {
  const before = '# mine\nPORT=80\nexport SLACK_BOT_TOKEN=old # why\nOTHER="a b"\n';
  expect(envText(before, { SLACK_BOT_TOKEN: 'xoxb-new', SECRET_KEY: 'k=' })).toBe(
    '# mine\nPORT=80\nSLACK_BOT_TOKEN=xoxb-new\nOTHER="a b"\nSECRET_KEY=k=\n',
  );
});

test('only the owner can read the env file, and no temporary file is left', async () => {
  const folder = await makeFolder();
  const path = join(folder, '.env');
  await saveEnvFile(path, undefined, { A: '1' });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await saveEnvFile(path, await readFile(path, 'utf8'), { A: '2' });
  expect(parseEnv(await readFile(path, 'utf8'))).toEqual({ A: '2' });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['.env']);
});

test('saving the env file never replaces one that another program has just created', async () => {
  const path = join(await makeFolder(), '.env');
  await writeFile(path, 'theirs');
  await expect(saveEnvFile(path, undefined, { A: '1' })).rejects.toThrow('EEXIST');
  expect(await readFile(path, 'utf8')).toBe('theirs');
});

test('a value survives the env file; one with all three kinds of quotes is refused', () => {
  // Our variables have no line breaks, outer spaces, single quotes or backticks.
  const values = fc.string({ unit: 'grapheme-ascii' }).filter((text) => text.trim() === text && !/['`]/.test(text));
  fc.assert(
    fc.property(values, (value) => {
      expect(parseEnv(envText(undefined, { NAME: value, NEXT: 'x' }))).toEqual({ NAME: value, NEXT: 'x' });
    }),
  );
  expect(() => envText(undefined, { NAME: '\'"`' })).toThrow("can't be written");
});
