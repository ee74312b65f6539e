import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/sandbox/free-port.ts';
import { openStore } from '../../src/store/index.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { makePostgresFolder } from '../helpers/postgres-folder.ts';
import { describeIf } from '../helpers/skips.ts';
import { appSecrets, type SlackAppSetup, startSlackApp } from '../helpers/slack-app.ts';
import { ctrlC, down, enter, hasTerminal, noTerminalReason, openTerminal, type Terminal } from '../helpers/terminal.ts';

const postgres = startTestPostgres();

const { appToken, clientId, clientSecret, signingSecret } = appSecrets;

interface Setup extends SlackAppSetup {
  env: NodeJS.ProcessEnv;
  folder: string;
  file: string;
  /** The text of the env file. */
  written(): Promise<string>;
  values(): Promise<NodeJS.Dict<string>>;
}

/** Starts Slack with an app created from the manifest in setup's link, and makes an empty folder for the env file. */
async function prepare(url?: string, port?: number, declined: string[] = []): Promise<Setup> {
  const app = await startSlackApp(url, { declined });
  const postgresFolder = await makePostgresFolder();
  onTestFinished(() => postgresFolder.remove());
  const folder = join(postgresFolder.path, 'config');
  await mkdir(folder);
  const file = join(folder, 'env');
  const written = () => readFile(file, 'utf8');
  const env = {
    ENV_FILE: file,
    BROWSER: 'none',
    PORT: String(port ?? (await freePort(0))),
    HOST: '127.0.0.1',
    SLACK_API_URL: app.slack.apiUrl,
    SLACK_AUTHORIZE_URL: app.slack.authorizeUrl,
    DATA_DIR: join(postgresFolder.path, 'data'),
  };
  return { ...app, env, folder, file, written, values: async () => parseEnv(await written()) };
}

const open = ({ env }: Setup) => openTerminal(['setup'], env);

const type = (text: string) => `${text}${enter}`;

/** The questions for Socket Mode with an embedded database, with correct answers. */
const socketAnswers = ({ botToken }: Setup): [string, string][] => [
  ['How should Slack reach Dropline?', enter],
  ['App configuration token', enter],
  ['Bot token', type(botToken)],
  ['App-level token', type(appToken)],
  ['Where should the data be?', enter],
];

async function answerAll(terminal: Terminal, answers: readonly [string, string][]): Promise<void> {
  for (const [question, keys] of answers) await terminal.answers(question, keys);
}

/** The questions for HTTPS with many workspaces, with correct answers. */
const httpsAnswers = (url: string): [string, string][] => [
  ['How should Slack reach Dropline?', `${down}${enter}`],
  ['Public address of Dropline', type(url)],
  ['How many Slack workspaces?', `${down}${enter}`],
  ['App configuration token', enter],
  ['Signing secret', type(signingSecret)],
  ['Client ID', type(clientId)],
  ['Client secret', type(clientSecret)],
  ['Where should the data be?', enter],
];

const startQuestion = 'Start Dropline now?';
const no = `${down}${enter}`;

describeIf(hasTerminal, noTerminalReason, 'setup in a terminal', () => {
  test('correct answers start a bot that Slack reaches', async () => {
    const setup = await prepare();
    const terminal = open(setup);
    await answerAll(terminal, [...socketAnswers(setup), [startQuestion, enter]]);
    await terminal.sees('Type /drop connect in Slack');
    expect(terminal.readOutput()).toContain('Bot token: @dropline in the workspace Acme');
    expect(terminal.readOutput()).toContain('https://api.slack.com/apps?new_app=1&manifest_json=%7B');
    const [anna] = setup.acme.people;
    await anna?.types('/drop', { in: '#general' });
    await anna?.sees('/drop connect');
    terminal.types(ctrlC);
    expect(await terminal.ended).toBe(0);
    expect((await stat(setup.file)).mode & 0o777).toBe(0o600);
    expect(await setup.values()).toMatchObject({ SLACK_BOT_TOKEN: setup.botToken, SLACK_APP_TOKEN: appToken });
    for (const secret of [setup.botToken, appToken]) expect(terminal.readOutput()).not.toContain(secret);
  });

  test('over HTTPS, the setup command waits until a workspace has installed the app', async () => {
    const port = await freePort(0);
    const url = `http://127.0.0.1:${port}`;
    const setup = await prepare(url, port);
    setup.slack.deliverTo(url);
    const terminal = open(setup);
    const answers: [string, string][] = [...httpsAnswers(url), [startQuestion, enter]];
    expect(answers.length).toBeLessThan(10);
    await answerAll(terminal, answers);
    await terminal.sees(`open ${url}/slack/install and allow it`);
    expect(terminal.readOutput()).toContain(`Public address: ${url} leads here`);
    expect(terminal.readOutput()).not.toContain('Type /drop connect');
    const beta = setup.slack.addWorkspace({ name: 'Beta' });
    const bea = beta.addPerson({ name: 'Bea', role: 'owner' });
    expect((await bea.installs(`${url}/slack/install`)).status).toBe(200);
    await terminal.sees('Type /drop connect in Slack');
    terminal.types(ctrlC);
    expect(await terminal.ended).toBe(0);
  });

  test('for one workspace over HTTPS, the setup command waits for a valid signature', async () => {
    const port = await freePort(0);
    const url = `http://127.0.0.1:${port}`;
    const setup = await prepare(url, port);
    setup.slack.deliverTo(url);
    const terminal = open(setup);
    await answerAll(terminal, [
      ['How should Slack reach Dropline?', `${down}${enter}`],
      ['Public address of Dropline', type(url)],
      ['How many Slack workspaces?', enter],
      ['App configuration token', enter],
      // The secret of another app, in the right format.
      ['Signing secret', type('0'.repeat(32))],
      ['Bot token', type(setup.botToken)],
      ['Where should the data be?', enter],
      [startQuestion, enter],
    ]);
    await terminal.sees('click Retry beside the request URL');
    const [anna] = setup.acme.people;
    await anna?.types('/drop', { in: '#general' });
    await expect.poll(() => setup.slack.deliveries.at(-1)).toMatchObject({ outcome: 'failed', status: 401 });
    expect(terminal.readOutput()).not.toContain('Type /drop connect');
    terminal.types(ctrlC);
    expect(await terminal.ended).toBe(0);
  });

  test('the setup command asks again for each wrong Socket Mode credential', async () => {
    const setup = await prepare();
    const terminal = open(setup);
    await terminal.answers('How should Slack reach Dropline?', enter);
    await terminal.answers('App configuration token', enter);
    await terminal.answers('Bot token', type(clientSecret));
    await terminal.sees('This looks like a client secret or signing secret.');
    terminal.types(type('xoxb-1-2-unknown'));
    await terminal.answers('App-level token', type(setup.botToken));
    await terminal.sees('This looks like a bot token.');
    terminal.types(type('xapp-1-A1-unknown'));
    await terminal.sees('Bot token: Slack refuses it (invalid_auth)');
    await terminal.sees('App-level token: Slack refuses it (invalid_auth)');
    expect(await readdir(setup.folder)).toEqual([]);
    await terminal.answers('Bot token', type(setup.botToken));
    await terminal.answers('App-level token', type(appToken));
    await terminal.answers('Where should the data be?', enter);
    await terminal.answers(startQuestion, no);
    await terminal.sees('npm start');
    expect(await terminal.ended).toBe(0);
    expect(await setup.values()).toMatchObject({ SLACK_BOT_TOKEN: setup.botToken, SLACK_APP_TOKEN: appToken });
  });

  test('the setup command asks again for each wrong HTTPS credential', async () => {
    const setup = await prepare('https://drop.example.invalid');
    const terminal = open(setup);
    await terminal.answers('How should Slack reach Dropline?', `${down}${enter}`);
    await terminal.answers('Public address of Dropline', type('http://drop.example.invalid'));
    await terminal.sees('PUBLIC_URL must begin with https://');
    terminal.types(type('\u0015https://drop.example.invalid'));
    await terminal.answers('How many Slack workspaces?', `${down}${enter}`);
    await terminal.answers('App configuration token', enter);
    await terminal.answers('Signing secret', type(clientSecret));
    await terminal.answers('Client ID', type('1.2'));
    await terminal.answers('Client secret', type(clientSecret));
    await terminal.sees('Client ID: Slack refuses it (invalid_client_id)');
    await terminal.sees('Signing secret: It is the same as the client secret');
    await terminal.answers('Signing secret', type(signingSecret));
    await terminal.answers('Client ID', type(clientId));
    await terminal.answers('Where should the data be?', enter);
    await terminal.sees("Public address: https://drop.example.invalid can't be reached from here");
    await terminal.answers(startQuestion, no);
    expect(await terminal.ended).toBe(0);
    expect(await setup.values()).toMatchObject({ SLACK_SIGNING_SECRET: signingSecret, SLACK_CLIENT_ID: clientId });
  });

  test('the setup command reports missing scopes', async () => {
    const setup = await prepare(undefined, undefined, ['users:read', 'files:write']);
    const terminal = open(setup);
    await answerAll(terminal, socketAnswers(setup).slice(0, 4));
    await terminal.sees('Scopes: The app lacks users:read');
    await terminal.answers('Bot token', ctrlC);
    expect(await terminal.ended).toBe(130);
    expect(await readdir(setup.folder)).toEqual([]);
  });

  test('while Slack is unreachable, the setup command offers a retry and writes no file', async () => {
    const setup = await prepare();
    setup.slack.addFault({ method: 'auth.test', kind: 'reset-before', times: 2 });
    const terminal = open(setup);
    await answerAll(terminal, socketAnswers(setup).slice(0, 4));
    await terminal.sees("Bot token: Slack can't be reached");
    await terminal.answers('Try again?', enter);
    await terminal.sees("Bot token: Slack can't be reached");
    await terminal.answers('Try again?', enter);
    await terminal.sees('Bot token: @dropline in the workspace Acme');
    await terminal.answers('Where should the data be?', ctrlC);
    expect(await terminal.ended).toBe(130);
    const unreachable = openTerminal(['setup'], {
      ...setup.env,
      SLACK_API_URL: `http://127.0.0.1:${await freePort(0)}/api`,
    });
    await answerAll(unreachable, socketAnswers(setup).slice(0, 4));
    await unreachable.answers('Try again?', no);
    await unreachable.sees("Slack can't be reached. Nothing was written.");
    expect(await unreachable.ended).toBe(1);
    expect(await readdir(setup.folder)).toEqual([]);
  });

  test('the setup command asks again for an unreachable database and creates a key', async () => {
    const setup = await prepare();
    const { connectionString } = await postgres.createDatabase({ isEmpty: true });
    const terminal = open(setup);
    await answerAll(terminal, [
      ...socketAnswers(setup).slice(0, 4),
      ['Where should the data be?', `${down}${enter}`],
      ['Address of the database', type('mysql://x')],
    ]);
    await terminal.sees('DATABASE_URL must look like');
    terminal.types(type(`postgresql://u:p@127.0.0.1:${await freePort(0)}/x`));
    await terminal.sees("Database: The database can't be used");
    await terminal.sees('Start Postgres, or correct the host and port');
    await terminal.answers('Address of the database', type(connectionString));
    await terminal.sees('no data yet');
    await terminal.answers(startQuestion, enter);
    await terminal.sees('Type /drop connect in Slack');
    terminal.types(ctrlC);
    expect(await terminal.ended).toBe(0);
    const { DATABASE_URL, SECRET_KEY = '' } = await setup.values();
    expect(DATABASE_URL).toBe(connectionString);
    expect(Buffer.from(SECRET_KEY, 'base64')).toHaveLength(32);
  });

  test('the setup command asks for the existing SECRET_KEY of a database with data', async () => {
    const setup = await prepare();
    const { connectionString, connection } = await postgres.createDatabase();
    const key = randomBytes(32);
    await (await openStore({ connection, secretKeys: [key] })).close();
    const terminal = open(setup);
    await answerAll(terminal, [
      ...socketAnswers(setup).slice(0, 4),
      ['Where should the data be?', `${down}${enter}`],
      ['Address of the database', type(connectionString)],
      ['This database has data of Dropline already', type(randomBytes(32).toString('base64'))],
    ]);
    await terminal.sees("SECRET_KEY doesn't decrypt the data");
    await terminal.answers('This database has data of Dropline already', type(key.toString('base64')));
    await terminal.answers(startQuestion, no);
    expect(await terminal.ended).toBe(0);
    expect(await setup.values()).toMatchObject({ SECRET_KEY: key.toString('base64') });
  });

  test('Ctrl-C at any question writes no file; after saving, the file is complete', async () => {
    const setup = await prepare();
    const url = 'https://drop.example.invalid';
    for (const answers of [socketAnswers(setup), httpsAnswers(url)]) {
      for (const [index, [question]] of answers.entries()) {
        const terminal = open(setup);
        await answerAll(terminal, answers.slice(0, index));
        await terminal.answers(question, ctrlC);
        await terminal.sees('Cancelled. Nothing was written.');
        expect(await terminal.ended).toBe(130);
        expect(await readdir(setup.folder)).toEqual([]);
      }
    }
    const terminal = open(setup);
    await answerAll(terminal, socketAnswers(setup));
    await terminal.answers(startQuestion, ctrlC);
    await terminal.sees('is complete: npm start');
    expect(await terminal.ended).toBe(130);
    expect(await setup.values()).toMatchObject({ SLACK_BOT_TOKEN: setup.botToken, SLACK_APP_TOKEN: appToken });
    expect(await readdir(setup.folder)).toEqual(['env']);
  }, 180_000);

  test('a second run of the setup command asks only for values that are invalid', async () => {
    const setup = await prepare();
    const first = open(setup);
    await answerAll(first, [...socketAnswers(setup), [startQuestion, no]]);
    expect(await first.ended).toBe(0);
    await writeFile(setup.file, `# my note\n${await setup.written()}SUPPORT_CONTACT=help@example.com\n`);
    const before = await setup.written();

    const second = open(setup);
    await second.sees("has everything; it wasn't changed");
    await second.answers(startQuestion, no);
    expect(await second.ended).toBe(0);
    expect(second.readOutput()).not.toContain('How should Slack');
    expect(await setup.written()).toBe(before);

    const [anna] = setup.acme.people;
    if (anna === undefined) throw new Error('Anna is missing');
    setup.acme.uninstall();
    const { botToken } = setup.acme.install({ by: anna });
    for (const [answer, expected] of [
      [no, before],
      [enter, before.replace(setup.botToken, botToken)],
    ] as const) {
      const terminal = open(setup);
      await terminal.sees('Bot token: Slack refuses it (account_inactive)');
      await terminal.answers('Bot token', type(botToken));
      await terminal.answers(`Write SLACK_BOT_TOKEN to ${setup.file}?`, answer);
      if (answer === enter) await terminal.answers(startQuestion, no);
      expect(await terminal.ended).toBe(answer === enter ? 0 : 1);
      expect(await setup.written()).toBe(expected);
    }
  });

  test('the setup command shows why the bot fails to start', async () => {
    const setup = await prepare();
    const server = createServer().listen(Number(setup.env.PORT), '127.0.0.1');
    onTestFinished(() => void server.close());
    const terminal = open(setup);
    await answerAll(terminal, [...socketAnswers(setup), [startQuestion, enter]]);
    await terminal.sees('EADDRINUSE');
    expect(await terminal.ended).toBe(1);
  });
});
