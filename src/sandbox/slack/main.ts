import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Manifest, type SlackServer, slackVariables, startSlackServer, type Workspace } from './index.ts';

const secrets = { clientId: 'sandbox.client', clientSecret: 'sandbox-secret', signingSecret: 'sandbox-signing' };
const appToken = 'xapp-sandbox';

const usage = `Usage: node dist/sandbox/slack/main.js [options]

  --port <n>          where the workspace listens (4900)
  --manifest <file>   the app's manifest (manifest/app.json)
  --bot <address>     where the bot listens (http://127.0.0.1:3000)
  --no-rate-limits    calls aren't limited
`;

/** Starts only the workspace, for a bot in another process. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4900' },
      manifest: { type: 'string', default: 'manifest/app.json' },
      bot: { type: 'string', default: 'http://127.0.0.1:3000' },
      'rate-limits': { type: 'boolean', default: true },
      help: { type: 'boolean', default: false },
    },
    allowNegative: true,
  });
  if (values.help) return void process.stdout.write(usage);
  const manifest = readManifest(values.manifest);
  const slack = await startSlackServer({
    app: { id: 'A0SANDBOX00', ...secrets, appToken, manifest },
    port: portNumber(values.port),
    rateLimits: values['rate-limits'],
  });
  slack.deliverTo(values.bot);
  const acme = seed(slack);
  const variables = {
    ...slackVariables(slack, secrets),
    SLACK_BOT_TOKEN: acme.installation?.botToken ?? '',
    SLACK_APP_TOKEN: appToken,
  };
  const lines = Object.entries(variables).map(([name, value]) => `  ${name.padEnd(20)}  ${value}\n`);
  process.stdout.write(`A sandbox Slack workspace is running for the bot at ${values.bot}

${lines.join('')}
People: ${slack.url}/-/people
Press Ctrl-C to stop. Nothing is saved.
`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void slack.close());
}

function readManifest(path: string): Manifest {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  } catch (error) {
    throw new Error(`The manifest ${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error(`${text} is not a port.`);
  return Number(text);
}

function seed(slack: SlackServer): Workspace {
  const acme = slack.addWorkspace({ name: 'Acme' });
  const anna = acme.addPerson({ name: 'Anna', role: 'owner' });
  const bo = acme.addPerson({ name: 'Bo' });
  const gus = acme.addPerson({ name: 'Gus', role: 'guest' });
  const sten = acme.addPerson({ name: 'Sten', role: 'stranger' });
  acme.install({ by: anna });
  acme.addChannel({ name: 'general', members: [anna, bo, gus, 'app'] });
  acme.addChannel({ name: 'inbox', kind: 'private', members: [anna, bo, 'app'] });
  acme.addChannel({ name: 'partners', shared: true, members: [anna, bo, sten, 'app'] });
  return acme;
}

main().catch((error: NodeJS.ErrnoException & { port?: number }) => {
  const message =
    error.code === 'EADDRINUSE' ? `Port ${error.port} is taken. Choose another with --port.` : error.message;
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
});
