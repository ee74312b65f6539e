import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';

const project = resolve(import.meta.dirname, '../..');
const compiler = join(project, 'node_modules', '.bin', 'tsc');

/** Compiles `src` and the page's scripts, like a build, and bundles the programs of tests. */
export async function buildPrograms(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'dropline-programs-'));
  const page = 'src/sandbox/slack/page/client';
  await Promise.all([compile('tsconfig.build.json', join(path, 'src')), compile(page, join(path, page)), bundle(path)]);
  for (const name of ['node_modules', 'manifest', 'package.json']) await symlink(join(project, name), join(path, name));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Only removes types. Without `--noResolve`, the compiler would also read the types of every package. */
async function compile(config: string, folder: string): Promise<void> {
  const options = ['--noCheck', '--noResolve', '--outDir', folder];
  await promisify(execFile)(compiler, ['-p', config, ...options], { cwd: project });
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
