import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { freePort } from '../../src/sandbox/free-port.ts';

/** Reads the code block of this language from the deployment guide, so that tests cover the guide itself. */
export function guideBlock(language: string): string {
  const guide = readFileSync(resolve(import.meta.dirname, '../../manifest/README.md'), 'utf8');
  const block = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(guide)?.[1];
  if (block === undefined) throw new Error(`the guide has no ${language}`);
  return block;
}

export function isInstalled(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Starts nginx with the guide's configuration, on loopback without TLS. */
export async function startNginx(botPort: number, change = (config: string) => config): Promise<string> {
  const folder = await makeFolder();
  const port = await freePort(0);
  const server = guideBlock('nginx')
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_.*\n/gm, '')
    .replace('127.0.0.1:3000', `127.0.0.1:${botPort}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  // If nginx starts as root, its workers run as an account that can't access the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const config = `daemon off; ${user} pid ${folder}/pid; error_log ${folder}/error.log; events {}
http { access_log off; ${temporary.join(' ')}\n${change(server)}}`;
  await writeFile(join(folder, 'nginx.conf'), config);
  return run('nginx', ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')], port, folder);
}

/** Starts Caddy with the guide's configuration, on loopback without TLS. */
export async function startCaddy(botPort: number): Promise<string> {
  const folder = await makeFolder();
  const port = await freePort(0);
  const site = guideBlock('caddyfile')
    .replace('drop.example.com', `http://127.0.0.1:${port}`)
    .replace('127.0.0.1:3000', `127.0.0.1:${botPort}`);
  await writeFile(join(folder, 'Caddyfile'), `{\n  admin off\n}\n${site}`);
  return run('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], port, folder);
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dropline-proxy-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a proxy until the test ends. Returns its URL once it answers with any status. */
async function run(command: string, args: string[], port: number, folder: string): Promise<string> {
  const child = spawn(command, args, { env: { PATH: process.env.PATH, HOME: folder } });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${output}`);
    await sleep(50);
  }
  return url;
}
