import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/sandbox/free-port.ts';
import { encodingsOf } from '../helpers/dump.ts';
import { makePostgresFolder } from '../helpers/postgres-folder.ts';
import { usePrograms } from '../helpers/program.ts';

const programs = usePrograms();

/** Lists all descendants of a process with their command lines. */
function descendantsOf(pid: number): { pid: number; args: string }[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const all = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  const descendantsOfPid = (parent: number): { pid: number; args: string }[] =>
    all
      .filter(([, , ppid]) => Number(ppid) === parent)
      .flatMap(([, id, , args = '']) => [{ pid: Number(id), args }, ...descendantsOfPid(Number(id))]);
  return descendantsOfPid(pid);
}

test('child processes, their environments, health, metrics and log contain no secret', async () => {
  const folder = await makePostgresFolder();
  onTestFinished(() => folder.remove());
  const secrets = {
    SLACK_SIGNING_SECRET: randomBytes(16).toString('hex'),
    SLACK_CLIENT_SECRET: randomBytes(16).toString('hex'),
    SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const metricsPort = await freePort(0);
  const program = programs.run('src/main.ts', ['all'], {
    PORT: '0',
    HOST: '127.0.0.1',
    METRICS_PORT: String(metricsPort),
    DATA_DIR: join(folder.path, 'data'),
    SLACK_CLIENT_ID: '1.2',
    LOG_LEVEL: 'trace',
    ...secrets,
  });
  let port = 0;
  while (port === 0) port = (JSON.parse(await program.nextLine()) as { port?: number }).port ?? 0;
  const url = `http://127.0.0.1:${port}`;
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);

  const { pid = 0 } = program.child;
  const children = descendantsOf(pid);
  expect(children.filter(({ args }) => args.includes('postgres')).length).toBeGreaterThan(3);
  const environments = children.map(({ pid: id }) => `/proc/${id}/environ`).filter((path) => existsSync(path));
  const outputs = {
    processes: children.map(({ args }) => args).join('\n'),
    environments: environments.map((path) => readFileSync(path, 'latin1')).join('\n'),
    ready: await (await fetch(`${url}/readyz`)).text(),
    healthy: await (await fetch(`${url}/healthz`)).text(),
    metrics: await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    printed: program.printed(),
  };
  expect(outputs.ready).toBe('{"database":true,"worker":true}\n');
  expect(outputs.healthy).toBe('{"alive":true}\n');
  expect(outputs.metrics).toContain('process_resident_memory_bytes');
  for (const [name, secret] of Object.entries(secrets)) {
    for (const [where, text] of Object.entries(outputs)) {
      for (const encoded of encodingsOf(secret)) expect(text.includes(encoded), `${name} in ${where}`).toBe(false);
    }
  }
  program.child.kill('SIGTERM');
  expect(await program.ended).toEqual({ code: 0, signal: null });
}, 90_000);
