import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { updateSettings } from '../../src/features/settings/repository.ts';
import type { AppSetup } from './app.ts';
import { makePostgresFolder } from './postgres-folder.ts';
import type { Programs, RunningProgram } from './program.ts';

/** The minimal Slack configuration that a bot needs to start. */
export const slackEnv = { SLACK_SIGNING_SECRET: 's', SLACK_CLIENT_ID: 'i', SLACK_CLIENT_SECRET: 'c' };

/** Returns a path for DATA_DIR that doesn't exist yet. It is removed after the test. */
export async function makeDataDir(): Promise<string> {
  const folder = await makePostgresFolder();
  onTestFinished(() => folder.remove());
  return join(folder.path, 'data');
}

export interface BotProcess extends RunningProgram {
  url: string;
}

/** Starts the bot in its own process, as in production. Resolves when it is ready. */
export async function startBot(
  programs: Programs,
  role: string,
  env: NodeJS.ProcessEnv,
  file = 'src/main.ts',
): Promise<BotProcess> {
  const program = programs.run(file, [role], { PORT: '0', HOST: '127.0.0.1', ...env });
  for (;;) {
    const line = JSON.parse(await program.nextLine());
    if (line.msg === 'ready') return { ...program, url: `http://127.0.0.1:${line.port}` };
  }
}

/** Starts the bot in its own process and directs Slack's deliveries to it. Transfers start without a time to undo. */
export async function startBotFor(programs: Programs, { env, slack, services, acme }: AppSetup) {
  if ((await services.store.credentials.accountOf({ workspace: acme.id })) !== undefined)
    await updateSettings(services, { workspace: acme.id }, (settings) => ({ ...settings, undoSeconds: 0 }));
  const bot = await startBot(programs, 'all', env);
  slack.deliverTo(bot.url);
  return bot;
}

/** Kills the program with SIGKILL, and waits until it has ended. */
export async function killHard({ child, ended }: RunningProgram): RunningProgram['ended'] {
  child.kill('SIGKILL');
  return ended;
}

/** Stops the program with SIGTERM, like a process manager. */
export async function terminate({ child, ended }: RunningProgram): RunningProgram['ended'] {
  child.kill('SIGTERM');
  return ended;
}

export interface Readiness {
  status: number;
  database: boolean;
  worker?: boolean;
  /** How many Socket Mode connections are open. */
  slack?: number;
}

export async function readiness(url: string): Promise<Readiness> {
  const response = await fetch(`${url}/readyz`);
  const body = (await response.json()) as Omit<Readiness, 'status'>;
  return { status: response.status, ...body };
}
