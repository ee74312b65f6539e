import { chmod, cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/store/embedded/index.ts';
import { fullDumpOf } from '../helpers/dump.ts';
import { makePostgresFolder } from '../helpers/postgres-folder.ts';
import { runScript, usePrograms } from '../helpers/program.ts';
import { runSandbox } from '../helpers/sandbox.ts';
import { oldSchema } from '../upgrade/old-database.ts';

const programs = usePrograms();

test('the sandbox prints its address, runs once per folder and stops with its bot', async () => {
  const first = await runSandbox(programs, ['--connected']);
  const url = await first.url();
  expect(await (await fetch(url)).text()).toContain('Dropline sandbox');
  await expect.poll(() => first.printed()).toContain('Press Ctrl-C to stop.');
  expect(first.printed()).toContain('It is already connected');
  const second = await runSandbox(programs, [], first.folder);
  expect(await second.ended).toMatchObject({ code: 1 });
  expect(second.printed()).toContain(`The sandbox is running already: ${url}`);
  expect(await first.interrupt()).toEqual({ code: 0, signal: null });
  expect((await readdir(first.folder)).sort()).toEqual(['bot.log', 'data']);
  expect(await readFile(join(first.folder, 'bot.log'), 'utf8')).toContain('"stopped"');
  await expect(fetch(url)).rejects.toThrow();
  const third = await runSandbox(programs, ['--reset'], first.folder);
  await third.url();
  expect(await third.interrupt()).toEqual({ code: 0, signal: null });
}, 90_000);

test("the bot of a sandbox doesn't read .env", async () => {
  const folder = await makePostgresFolder();
  onTestFinished(() => folder.remove());
  const project = inject('programs');
  await cp(join(project, 'src'), join(folder.path, 'src'), { recursive: true });
  for (const name of ['node_modules', 'manifest', 'package.json'])
    await symlink(join(project, name), join(folder.path, name));
  await writeFile(join(folder.path, '.env'), 'PORT=x\nDATABASE_URL=postgresql://nowhere.invalid/x\n');
  const main = runScript(join(folder.path, 'src/main.js'), ['all'], {});
  expect(await main.ended).toMatchObject({ code: 1 });
  expect(main.printed()).toContain('PORT must be a port');
  const args = ['--port', '0', '--folder', join(folder.path, 'sandbox')];
  const sandbox = runScript(join(folder.path, 'src/sandbox/main.js'), args, {});
  await expect.poll(() => sandbox.printed(), { timeout: 40_000 }).toContain('Press Ctrl-C to stop.');
  sandbox.child.kill('SIGINT');
  expect(await sandbox.ended).toEqual({ code: 0, signal: null });
}, 90_000);

test('the bot of a killed sandbox stops, and the next sandbox starts', async () => {
  const killed = await runSandbox(programs);
  await killed.url();
  killed.child.kill('SIGKILL');
  await killed.ended;
  const stopped = () =>
    readFile(join(killed.folder, 'data', 'cluster', 'postmaster.pid')).then(
      () => false,
      () => true,
    );
  await expect.poll(stopped, { timeout: 40_000 }).toBe(true);
  const next = await runSandbox(programs, [], killed.folder);
  await next.url();
  expect(await next.interrupt()).toEqual({ code: 0, signal: null });
}, 90_000);

/** Runs `work` on the embedded Postgres in the folder. */
async function withPostgres<T>(dataDir: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir });
  const pool = new pg.Pool(server.connection);
  // After `end()`, a connection can still be open when the server stops.
  pool.on('error', () => {});
  try {
    return await work(pool);
  } finally {
    await pool.end();
    await server.stop();
  }
}

test('the sandbox keeps the data of a different version and starts without it', async () => {
  const { path: folder, remove } = await makePostgresFolder();
  onTestFinished(remove);
  const before = await withPostgres(join(folder, 'data'), async (pool) => {
    await pool.query(oldSchema);
    return fullDumpOf(pool);
  });
  const first = await runSandbox(programs, [], folder);
  const url = await first.url();
  expect(await (await fetch(url)).text()).toContain('Dropline sandbox');
  await expect.poll(() => first.printed()).toContain('Press Ctrl-C to stop.');
  const moved = /^Data of a different version of Dropline was moved to (.+)$/m.exec(first.printed())?.[1] ?? '';
  expect(await first.interrupt()).toEqual({ code: 0, signal: null });
  expect((await readdir(folder)).sort()).toEqual(['bot.log', 'data', basename(moved)]);
  expect(await withPostgres(moved, fullDumpOf)).toBe(before);
  const second = await runSandbox(programs, [], folder);
  await second.url();
  await expect.poll(() => second.printed()).toContain('Press Ctrl-C to stop.');
  expect(second.printed()).not.toContain('different version');
  expect(await second.interrupt()).toEqual({ code: 0, signal: null });
}, 90_000);

test('the sandbox rejects used or invalid ports and unknown options, writing nothing', async () => {
  const running = await runSandbox(programs);
  const { port } = new URL(await running.url());
  const folder = await mkdtemp(join(tmpdir(), 'dropline-sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const run = (...args: string[]) => programs.run('src/sandbox/main.ts', ['--folder', folder, ...args]);
  const [taken, invalid, unknown] = [run('--port', port), run('--port', 'x'), run('--prot', '1')];
  expect(await taken.ended).toMatchObject({ code: 1 });
  expect(taken.printed()).toContain(
    `Port ${port} is taken. If that is another sandbox, open http://127.0.0.1:${port}/`,
  );
  expect(await invalid.ended).toMatchObject({ code: 1 });
  expect(invalid.printed()).toBe('x is not a port.\n');
  expect(await unknown.ended).toMatchObject({ code: 1 });
  expect(unknown.printed()).toContain("Unknown option '--prot'");
  expect(await readdir(folder)).toEqual([]);
}, 60_000);

test('the sandbox reports a folder without write access, and what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dropline-sandbox-'));
  await chmod(folder, 0o555);
  onTestFinished(() => rm(folder, { recursive: true }));
  // Root can write to every folder, so use a path below something that is not a folder.
  const path = process.getuid?.() === 0 ? '/dev/null/sandbox' : folder;
  const { ended, printed } = programs.run('src/sandbox/main.ts', ['--port', '0', '--folder', path]);
  expect(await ended).toMatchObject({ code: 1 });
  expect(printed()).toMatch(/cannot be written to \(.*\)\. Choose another folder with --folder\.\n$/);
});
