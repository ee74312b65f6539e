import { parseEnv } from 'node:util';
import { checkAll } from '../check/checks.ts';
import { lineOf } from '../check/main.ts';
import { ConfigError, postgresUrl, readConfig } from '../config.ts';
import type { Values } from './check-secrets.ts';
import { checkDatabase, newSecretKey } from './database.ts';
import { SetupProblem } from './problem.ts';
import { modeOf } from './questions.ts';
import { secrets, secretsOf, shapeProblem } from './secrets.ts';
import { changesIn, save, type Target } from './target.ts';

/**
 * Sets up without a terminal. If the environment and the file lack something, reads NAME=value lines from standard
 * input.
 */
export async function runUnattended(target: Target, input: NodeJS.ReadableStream): Promise<void> {
  const changes = changesIn(target, await readAndCheck(target.presetValues, input));
  if (Object.keys(changes).length === 0) return say(`${target.path} has everything; it wasn't changed.`);
  if (target.text !== undefined) {
    const names = Object.keys(changes).join(', ');
    throw new SetupProblem(`${target.path} exists and lacks ${names}. Add them, or run npm run setup in a terminal.`);
  }
  await save(target, changes);
  say(`Wrote ${target.path}. Start Dropline with npm start, then type /drop connect in Slack.`);
}

const say = (text: string) => void process.stdout.write(`${text}\n`);

async function readAndCheck(presetValues: Values, input: NodeJS.ReadableStream): Promise<Values> {
  const values =
    problemsOf(presetValues).length === 0 ? { ...presetValues } : { ...(await readLines(input)), ...presetValues };
  const problems: string[] = [];
  if (postgresUrl.safeParse(values.DATABASE_URL).success && values.SECRET_KEY === undefined) {
    const checked = await checkDatabase(values.DATABASE_URL ?? '');
    problems.push(...checked.problems.map(({ message, fix }) => `${message}. ${fix}`));
    if (checked.hasData) problems.push('This database has data of Dropline already');
    // A new key would make existing data unreadable.
    if (problems.length === 0) values.SECRET_KEY = newSecretKey();
  }
  problems.push(...problemsOf(values));
  if (problems.length > 0) {
    const lines = problems.map((problem) => `  - ${problem}\n`).join('');
    throw new SetupProblem(
      `Missing or wrong:\n${lines}Set them in the environment, or give NAME=value lines on standard input. ` +
        'In a terminal, npm run setup asks for them.',
    );
  }
  const results = await checkAll({ ...values, ENV_FILE: 'none' });
  process.stdout.write(results.map(lineOf).join(''));
  // A wrong public address isn't a failure, because the proxy can be set up later.
  if (results.some(({ status, name }) => status === 'failed' && name !== 'public address'))
    throw new SetupProblem('Nothing was written.');
  return values;
}

function problemsOf(values: Values): string[] {
  const mode = modeOf(values);
  const shapes = (mode === undefined ? [] : secretsOf[mode]).flatMap((name) => {
    const value = values[name];
    const problem = value === undefined ? undefined : shapeProblem(name, value);
    return value === undefined
      ? [`${name}: ${secrets[name].where}`]
      : problem === undefined
        ? []
        : [`${name}: ${problem}`];
  });
  try {
    readConfig('all', values);
    return shapes;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...error.problems, ...shapes];
  }
}

/** Larger than any valid input. */
const maxBytes = 64 * 1024;

async function readLines(input: NodeJS.ReadableStream): Promise<Values> {
  let text = '';
  for await (const chunk of input) {
    text += chunk;
    if (text.length > maxBytes) throw new SetupProblem('Standard input is too long: give NAME=value lines.');
  }
  return parseEnv(text) as Values;
}
