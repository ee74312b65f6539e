import { type Bot, OtherVersionProblem, startBot } from './bot.ts';
import { installClock } from './clock.ts';
import { type LockedFolder, lockFolder } from './folder.ts';
import { freePort } from './free-port.ts';
import { outsideOf } from './outside.ts';
import { startScannerServer } from './scanner.ts';
import { login, startService } from './service.ts';
import { passHours } from './time.ts';
import { botVariables, connectByForm, type SandboxWorkspace, startWorkspace } from './workspace.ts';

export interface SandboxOptions {
  /** Port of the page; the service and the bot take the next two. 0 for any three. */
  port: number;
  folder: string;
  shouldReset: boolean;
  isConnected: boolean;
}

export interface Sandbox {
  url: string;
  service: { url: string; user: string; apiKey: string };
  logFile: string;
  /** The data of a different version of Dropline that was in the folder. Undefined if there was none. */
  archivedData: string | undefined;
  /** Resolves when the bot's process has exited. */
  botEnded: Promise<void>;
  close(): Promise<void>;
}

/** Starts everything on this machine: the service, the workspace, and the bot with its own Postgres. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, folder, shouldReset, isConnected } = options;
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const lockedFolder = await lockFolder(folder);
    closers.push(lockedFolder.release);
    if (shouldReset) await lockedFolder.reset();
    const clock = installClock(await lockedFolder.readPassed());
    const botPort = await freePort(port === 0 ? 0 : port + 2);
    const service = await startService(port === 0 ? 0 : port + 1);
    closers.push(service.server.close);
    const scanner = await startScannerServer();
    scanner.behaviour.maxBytes = Number.POSITIVE_INFINITY;
    closers.push(scanner.close);
    let started: { acme: SandboxWorkspace; bot?: Bot } | undefined;
    const simulated = {
      service,
      scanner,
      acme: () => started?.acme,
      async passHours(hours: number) {
        if (started?.bot !== undefined) await passHours(hours, clock, started.bot, lockedFolder);
      },
    };
    const acme = await startWorkspace(port, outsideOf(simulated, clock));
    started = { acme };
    closers.push(acme.slack.close);
    await lockedFolder.saveUrl(`${acme.slack.url}/`);
    const { bot, archivedData } = await startOnFolder(lockedFolder, () =>
      startBot({
        port: botPort,
        variables: {
          ...botVariables(acme.slack, botPort, lockedFolder.data, service.server.url),
          CLAMD_HOST: `127.0.0.1:${scanner.port}`,
        },
        logFile: lockedFolder.logFile,
        passedMs: clock.passedMs,
      }),
    );
    started.bot = bot;
    closers.push(bot.stop);
    await acme.installFrom(`http://127.0.0.1:${botPort}`);
    const account = { url: service.server.url, ...login };
    if (isConnected) await connectByForm(acme.anna, account);
    return {
      url: `${acme.slack.url}/`,
      service: account,
      logFile: lockedFolder.logFile,
      archivedData,
      botEnded: bot.ended,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the bot. If it refuses the data in the folder, keeps that under another name and starts without data. */
async function startOnFolder(
  folder: LockedFolder,
  start: () => Promise<Bot>,
): Promise<{ bot: Bot; archivedData: string | undefined }> {
  try {
    return { bot: await start(), archivedData: undefined };
  } catch (error) {
    if (!(error instanceof OtherVersionProblem)) throw error;
    const archivedData = await folder.archive();
    return { bot: await start(), archivedData };
  }
}
