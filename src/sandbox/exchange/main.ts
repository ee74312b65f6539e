import { parseArgs } from 'node:util';
import { type ExchangeServer, startExchangeServer } from './index.ts';

const user = 'sandbox@dropline.example';
const apiKey = 'sandbox-key';

const usage = `Usage: node dist/sandbox/exchange/main.js [options]

  --port <n>         where the service listens (4800)
  --admin-port <n>   where its admin page listens (4801)
`;

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return void process.stdout.write(usage);
  const server = await startExchangeServer(options);
  await seed(server);
  process.stdout.write(`The sandbox file-exchange service is running.

  Address  ${server.url}
  Account  ${user}
  API key  ${apiKey}
  Admin    ${server.adminUrl}/

Things to try:
  - Open the admin page: it shows the account and, once you send something, the emails with their links.
  - Get a token:  curl -u ${user}:${apiKey} ${server.url}/${user}/
  - Send it as the header CSRF-Token, for example to ${server.url}/${user}/cgi/get_history.cgi

Press Ctrl-C to stop. Nothing is saved.
`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
}

function readOptions(): { port: number; adminPort: number } | undefined {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, 'admin-port': { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help) return undefined;
  return { port: portNumber(values.port ?? '4800'), adminPort: portNumber(values['admin-port'] ?? '4801') };
}

function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error(`${text} is not a port.`);
  return Number(text);
}

async function seed(server: ExchangeServer): Promise<void> {
  const account = server.addAccount({
    user,
    apiKey,
    global: [{ email: 'helpdesk@dropline.example', number: '46700000003', language: 'en', groups: [], nick: 'Help' }],
  });
  account.contacts.local = [
    { email: 'ada@partner.example', number: '46700000001', language: 'en', groups: ['partners'], nick: 'Ada' },
    { email: 'bo@partner.example', number: '46700000002', language: 'sv', groups: ['partners', 'press'], nick: 'Bo' },
  ];
  await server.addInboxItem(user, {
    sender: 'ada@partner.example',
    files: [
      { name: 'notes.txt', data: 'The figures are in the table.\n', type: 'text/plain' },
      { name: 'figures.csv', data: 'month,amount\nJanuary,12\nFebruary,15\n', type: 'text/csv' },
    ],
  });
}

main().catch((error: NodeJS.ErrnoException & { port?: number }) => {
  const message =
    error.code === 'EADDRINUSE'
      ? `Port ${error.port} is taken. Choose others with --port and --admin-port.`
      : error.message;
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
});
