import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { onTestFinished } from 'vitest';

const project = resolve(import.meta.dirname, '../..');

/**
 * The bot with all that it needs in one file, which goes with the test. It is started anew again and again, and to load a
 * thousand files each time is what would take the longest.
 */
export async function bundleBot(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dropline-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(project, 'manifest'), join(folder, 'manifest'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const outDir = join(folder, 'test', 'programs');
  await build({
    root: project,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: 'test/programs/bot.ts',
      outDir,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'bot.js' } },
    },
  });
  return join(outDir, 'bot.js');
}
