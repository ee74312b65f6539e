import { publicAddressLeadsHere } from '../check/public-url.ts';
import type { Result } from '../check/result.ts';
import { isUnreachable } from '../check/slack.ts';
import { postgresUrl, publicAddress, readConfig, secretKeys } from '../config.ts';
import { checkSecrets, type Values } from './check-secrets.ts';
import { createSlackApp } from './create-app.ts';
import { checkDatabase, isKeyOf, newSecretKey } from './database.ts';
import { SetupProblem } from './problem.ts';
import type { Prompts } from './prompts.ts';
import { type Mode, type SecretName, secrets, secretsOf, shapeProblem } from './secrets.ts';
import { isFromEnvironment, type Target } from './target.ts';

/** Asks for every value that neither the environment nor the file has. Checks the answers after each step. */
export async function askAll(prompts: Prompts, target: Target, env: NodeJS.ProcessEnv) {
  const values = { ...target.presetValues };
  const mode = await askMode(prompts, values);
  if (secretsOf[mode].some((name) => values[name] === undefined)) await createSlackApp(prompts, mode, values, env);
  await askSecrets(prompts, mode, values, target);
  await askDatabase(prompts, values, target);
  if (mode !== 'socket') await tryPublicAddress(prompts, values);
  return { mode, values };
}

/** The mode that these variables belong to; undefined if they fit several. */
export function modeOf(values: Values): Mode | undefined {
  if (values.SLACK_APP_TOKEN !== undefined) return 'socket';
  if (values.SLACK_CLIENT_ID !== undefined || values.SLACK_CLIENT_SECRET !== undefined) return 'https-many';
  if (values.SLACK_SIGNING_SECRET !== undefined && values.SLACK_BOT_TOKEN !== undefined) return 'https-one';
  return undefined;
}

async function askMode(prompts: Prompts, values: Values): Promise<Mode> {
  const presetMode = modeOf(values);
  const isSocket =
    presetMode === undefined
      ? (await prompts.select('How should Slack reach Dropline?', [
          { value: 'socket', label: 'Socket Mode', hint: 'Dropline connects to Slack: no public address needed' },
          { value: 'https', label: 'HTTPS', hint: 'Slack calls your public address; adds download links' },
        ])) === 'socket'
      : presetMode === 'socket';
  if (isSocket) return 'socket';
  values.PUBLIC_URL ??= await prompts.text(
    'Public address of Dropline',
    'https://drop.example.com',
    (text) => publicAddress.safeParse(text).error?.issues[0]?.message,
  );
  if (presetMode !== undefined) return presetMode;
  return prompts.select('How many Slack workspaces?', [
    { value: 'https-one', label: 'One' },
    { value: 'https-many', label: 'Several', hint: 'each installs the app from your address' },
  ]);
}

async function askSecrets(prompts: Prompts, mode: Mode, values: Values, target: Target): Promise<void> {
  for (;;) {
    for (const name of secretsOf[mode]) values[name] ??= await askSecret(prompts, name);
    prompts.say('Asking Slack …');
    const checked = await checkSecrets(mode, values);
    for (const { name, label, result } of checked) show(prompts, label ?? secrets[name].label, result);
    const refused = checked.filter(({ result }) => result.status === 'failed');
    if (refused.length === 0) return;
    if (refused.some(({ result }) => isUnreachable(result))) {
      if (!(await prompts.confirm('Try again?')))
        throw new SetupProblem("Slack can't be reached. Nothing was written.");
      continue;
    }
    for (const { name } of refused) forget(values, target, name);
  }
}

const askSecret = (prompts: Prompts, name: SecretName) =>
  prompts.secret(secrets[name].label, (text) => shapeProblem(name, text));

/** Removes a refused value, so that the next round asks for it again. Throws if the environment sets it. */
function forget(values: Values, target: Target, name: string): void {
  if (isFromEnvironment(target, name))
    throw new SetupProblem(`${name} is set in the environment, which wins over .env: correct it there.`);
  delete values[name];
}

async function askDatabase(prompts: Prompts, values: Values, target: Target): Promise<void> {
  if (values.DATABASE_URL === undefined) {
    // An existing file without DATABASE_URL means an embedded Postgres.
    const isEmbedded =
      target.text !== undefined ||
      (await prompts.select('Where should the data be?', [
        { value: 'embedded', label: 'Embedded Postgres', hint: 'nothing to install; one process' },
        { value: 'url', label: 'Your Postgres', hint: '14 or later' },
      ])) === 'embedded';
    if (isEmbedded) return prompts.done('Database: embedded. Its key is created beside the data at the first start.');
  }
  for (;;) {
    values.DATABASE_URL ??= await prompts.secret(
      'Address of the database (postgresql://user:password@host:5432/database)',
      (text) => postgresUrl.safeParse(text).error?.issues[0]?.message,
    );
    prompts.say('Trying the database …');
    const checked = await checkDatabase(values.DATABASE_URL);
    for (const problem of checked.problems) show(prompts, 'Database', problem);
    if (checked.problems.length > 0) {
      forget(values, target, 'DATABASE_URL');
      continue;
    }
    prompts.done(`Database: ${checked.message}`);
    if (checked.hasData) await askKey(prompts, values, values.DATABASE_URL, target);
    else values.SECRET_KEY ??= newSecretKey();
    return;
  }
}

/** Asks for the key of existing data. */
async function askKey(prompts: Prompts, values: Values, url: string, target: Target): Promise<void> {
  while (values.SECRET_KEY === undefined || !(await isKeyOf(url, values.SECRET_KEY))) {
    if (values.SECRET_KEY !== undefined) {
      prompts.fail("SECRET_KEY doesn't decrypt the data in this database.");
      forget(values, target, 'SECRET_KEY');
    }
    values.SECRET_KEY = await prompts.secret(
      'This database has data of Dropline already. Its SECRET_KEY',
      (text) => secretKeys.safeParse(text).error?.issues[0]?.message,
    );
  }
}

/** Checks the public address. A failure is only a warning, because the proxy can be set up later. */
async function tryPublicAddress(prompts: Prompts, values: Values): Promise<void> {
  const { message, fix = '', status } = await publicAddressLeadsHere(readConfig('all', values));
  if (status === 'ok') prompts.done(`Public address: ${message}`);
  else prompts.warn(`Public address: ${message}. ${fix}`);
}

function show(prompts: Prompts, label: string, { status, message, fix = '' }: Result): void {
  if (status === 'failed') prompts.fail(`${label}: ${message}\n${fix}`);
  else prompts.done(`${label}: ${message}`);
}
