import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type Bot, startBot } from '../../../src/sandbox/bot.ts';
import { freePort } from '../../../src/sandbox/free-port.ts';
import {
  type Manifest,
  type Person,
  type SlackServer,
  startSlackServer,
  type Workspace,
} from '../../../src/sandbox/slack/index.ts';
import { botVariables, connectByForm, secrets } from '../../../src/sandbox/workspace.ts';
import { startEmbeddedPostgres } from '../../../src/store/embedded/index.ts';
import { withDataDir } from '../data-dir.ts';
import { script } from '../processes.ts';
import { createRemoteCall, type RemoteCall } from './remote-calls.ts';
import type { ServiceHandlers } from './service.ts';

export const apiKey = 'bench-key';

/** A workspace with the app, connected to its own account. */
export interface Team {
  workspace: Workspace;
  /** The owner. */
  anna: Person;
  bo: Person;
  /** The account name. */
  user: string;
}

export interface Deployment {
  slack: SlackServer;
  callService: RemoteCall<ServiceHandlers>;
  serviceUrl: string;
  botUrl: string;
  /** The process that people reach. It does the work too, unless there are separate workers. */
  bot: Bot;
  workers: readonly Bot[];
  /** The database that separate workers share. */
  pool: pg.Pool | undefined;
  /** Stops the service, so that calls waiting for it fail at once. */
  stopService(): Promise<void>;
  addTeam(name: string, options?: { contacts?: number }): Promise<Team>;
}

/**
 * The bot as in production, with its own Postgres, between a simulated Slack in this process and the reference service
 * in another. With `workers`, it runs as one web process and that many workers. Everything is stopped and removed when
 * the work is done.
 */
export function withDeployment<T>(
  work: (deployment: Deployment) => Promise<T>,
  options: { workers?: number } = {},
): Promise<T> {
  return withDataDir(async (folder) => {
    const closers: (() => Promise<unknown>)[] = [];
    try {
      return await work(await startDeployment(folder, options.workers ?? 0, (closer) => closers.push(closer)));
    } finally {
      for (const close of closers.reverse()) await close();
    }
  });
}

async function startDeployment(
  folder: string,
  workerCount: number,
  onClose: (close: () => Promise<unknown>) => void,
): Promise<Deployment> {
  await mkdir(folder, { mode: 0o711 });
  const service = fork(script('deployment/service'), [join(folder, 'service')]);
  const ended = once(service, 'exit');
  const stopService = async () => {
    service.kill();
    await ended;
  };
  onClose(stopService);
  await once(service, 'message');
  const callService = createRemoteCall<ServiceHandlers>(service);
  const serviceUrl = await callService('url');
  const manifest = JSON.parse(await readFile('manifest/app.json', 'utf8')) as Manifest;
  const slack = await startSlackServer({ app: { id: 'A0BENCH0000', ...secrets, manifest }, rateLimits: false });
  onClose(slack.close);
  const port = await freePort(0);
  const botUrl = `http://127.0.0.1:${port}`;
  slack.deliverTo(botUrl);
  slack.behaviour.timeoutMs = 60_000;
  const database = workerCount === 0 ? undefined : await startDatabase(join(folder, 'postgres'), onClose);
  const variables = {
    ...botVariables(slack, port, join(folder, 'bot'), serviceUrl),
    LOG_LEVEL: 'warn',
    ...(database && { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('base64') }),
  };
  const start = async (role: 'all' | 'web' | 'worker', rolePort: number) => {
    const started = await startBot({
      role,
      port: rolePort,
      variables,
      logFile: join(folder, `${role}-${rolePort}.log`),
    });
    onClose(started.stop);
    return started;
  };
  const bot = await start(database === undefined ? 'all' : 'web', port);
  const workers: Bot[] = [];
  while (workers.length < workerCount) workers.push(await start('worker', await freePort(0)));
  return {
    slack,
    callService,
    serviceUrl,
    botUrl,
    bot,
    workers,
    pool: database?.pool,
    stopService,
    addTeam: (name, { contacts = 10 } = {}) => addTeam(name, contacts),
  };

  async function addTeam(name: string, contacts: number): Promise<Team> {
    const user = `${name.toLowerCase()}@example.com`;
    await callService('addAccount', { user, apiKey, contacts });
    const workspace = slack.addWorkspace({ name });
    const anna = workspace.addPerson({ name: 'Anna', role: 'owner' });
    const bo = workspace.addPerson({ name: 'Bo' });
    const { status, text } = await anna.installs(`${botUrl}/slack/install`);
    if (status !== 200) throw new Error(`the app could not be installed (${status}): ${text}`);
    for (const channel of ['general', 'inbox']) workspace.addChannel({ name: channel, members: [anna, bo, 'app'] });
    await connectByForm(anna, { url: serviceUrl, user, apiKey });
    await turnOffUndo(anna);
    await bo.opens('Dropline');
    return { workspace, anna, bo, user };
  }
}

/** Otherwise, each transfer would wait. */
async function turnOffUndo(anna: Person): Promise<void> {
  await anna.types('/drop settings');
  await anna.clicks('Change sending');
  await anna.picks('Time to undo', 'Off');
  await anna.submits('Save');
  await anna.sees('Change sending');
  await anna.closes();
}

async function startDatabase(dataDir: string, onClose: (close: () => Promise<unknown>) => void) {
  const server = await startEmbeddedPostgres({ dataDir });
  onClose(server.stop);
  const { host, port, user, database } = server.connection;
  const pool = new pg.Pool(server.connection);
  onClose(() => pool.end());
  return { pool, url: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}` };
}
