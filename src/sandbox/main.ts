import { parseArgs } from 'node:util';
import { defaultFolder } from './folder.ts';
import { SandboxProblem } from './problem.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts';

const usage = `Usage: npm run sandbox -- [options]

  --connected    the workspace is already connected to the service
  --reset        deletes the bot's data from earlier runs
  --port <n>     the page's port (4800); the next two are used too. 0 for any three
  --folder <f>   where the bot keeps its data (${defaultFolder()})
`;

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) {
    process.stdout.write(usage);
    return;
  }
  const starting = startSandbox(options);
  let stopping: Promise<void> | undefined;
  // Registered before the start completes: an interrupted start must not leave a bot running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stopping ??= starting.then(stop, () => {});
    });
  }
  const sandbox = await starting;
  process.stdout.write(welcome(sandbox, options));
  await sandbox.botEnded;
  if (stopping === undefined) {
    await sandbox.close();
    throw new SandboxProblem(`The bot has ended. Its log: ${sandbox.logFile}`);
  }
  await stopping;
}

async function stop(sandbox: Sandbox): Promise<void> {
  process.stdout.write('\nStopping …\n');
  await sandbox.close();
}

function readOptions(): SandboxOptions | undefined {
  try {
    const { values } = parseArgs({
      options: {
        connected: { type: 'boolean', default: false },
        reset: { type: 'boolean', default: false },
        port: { type: 'string', default: '4800' },
        folder: { type: 'string', default: defaultFolder() },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return undefined;
    const { connected: isConnected, reset: shouldReset, folder } = values;
    return { isConnected, shouldReset, folder, port: portNumber(values.port) };
  } catch (error) {
    if (error instanceof SandboxProblem) throw error;
    throw new SandboxProblem(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_533) throw new SandboxProblem(`${text} is not a port.`);
  return Number(text);
}

function welcome({ url, service, logFile, archivedData }: Sandbox, { isConnected, folder }: SandboxOptions): string {
  const connect = `  1. You are Anna, the owner of the workspace. Click Connect, Fill in for me, Next, Enter the key for me.
     By hand: ${service.url}, ${service.user}, ${service.apiKey}, #inbox, days.`;
  const archived =
    archivedData === undefined ? '' : `Data of a different version of Dropline was moved to ${archivedData}\n`;
  return `Dropline is running, with a Slack workspace and a file-exchange service of its own.

  Open  ${url}

Get started:
${isConnected ? '  1. You are Anna, the owner of the workspace. It is already connected.' : connect}
  2. Click Send files or type /drop send, choose Ada and a file.
  3. On the right, under Outside Slack, open Ada's link and download the file.
  4. Type /drop request, turn on file requests, ask Ada for a file and upload it with her link.

The bot keeps its data in ${folder} (--reset deletes it), its log is ${logFile}
${archived}Nothing leaves this computer. Press Ctrl-C to stop.
`;
}

main().catch((error: NodeJS.ErrnoException & { port?: number }) => {
  const message =
    error.code === 'EADDRINUSE'
      ? `Port ${error.port} is taken. If that is another sandbox, open http://127.0.0.1:${error.port}/; else choose other ports with --port (three in a row).`
      : error instanceof SandboxProblem
        ? error.message
        : (error.stack ?? error.message);
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
});
