import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';

const project = resolve(import.meta.dirname, '../..');
const compiler = join(project, 'node_modules', '.bin', 'tsc');

/** Compiles the project and the page's scripts, like a build. */
export async function buildPrograms(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'dropline-programs-'));
  const compile = (config: string, folder: string, ...more: string[]) =>
    promisify(execFile)(compiler, ['-p', config, '--noCheck', ...more, '--outDir', folder], { cwd: project });
  const page = 'src/sandbox/slack/page/client';
  await Promise.all([compile('tsconfig.json', path, '--noEmit', 'false'), compile(page, join(path, page))]);
  for (const name of ['node_modules', 'manifest']) await symlink(join(project, name), join(path, name));
  await writeFile(join(path, 'package.json'), '{"type":"module"}');
  await bundle(path);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Bundles the programs that tests start often, because loading a thousand files takes longer than most tests. */
async function bundle(path: string): Promise<void> {
  const folder = 'test/programs';
  const names = (await readdir(join(project, folder))).map((file) => parse(file).name);
  await build({
    root: project,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: join(path, folder),
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: {
        input: Object.fromEntries(names.map((name) => [name, join(folder, `${name}.ts`)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
}
