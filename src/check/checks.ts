import { type Config, ConfigError, readConfig } from '../config.ts';
import { skewResult } from './clock.ts';
import {
  type CheckedDatabase,
  databaseClock,
  databaseConnections,
  databaseRights,
  databaseVersion,
  keyDecryptsData,
  openCheckedDatabase,
} from './database.ts';
import { diskSpace, envFile, metricsPort, serviceHosts, supportContact } from './machine.ts';
import { publicAddressLeadsHere } from './public-url.ts';
import { failed, ok, type Result, reasonOf, skipped } from './result.ts';
import { malwareScanner } from './scanner.ts';
import { type BotTokenChecks, checkAppToken, checkBotToken, checkClientSecret, readSlackTime } from './slack.ts';

export interface CheckResult extends Result {
  name: string;
}

/** Passed to every check. */
interface Context {
  env: NodeJS.ProcessEnv;
  config: Config;
  database: CheckedDatabase;
  bot: BotTokenChecks | undefined;
}

type Check = (context: Context) => Result | Promise<Result>;

const withProbe =
  (check: (probe: NonNullable<CheckedDatabase['probe']>, config: Config) => Promise<Result>): Check =>
  ({ database: { probe }, config }) =>
    probe === undefined ? skipped('not checked without a database') : check(probe, config);

/** All checks, in the order in which their results are shown. */
const checks: Record<string, Check> = {
  'env file': ({ env }) => envFile(env),
  database: ({ database }) => database.result,
  'database version': withProbe(databaseVersion),
  'database rights': withProbe(databaseRights),
  'database connections': withProbe(databaseConnections),
  key: withProbe((probe, { database }) => keyDecryptsData(probe, database)),
  'slack token': ({ bot }) => bot?.token ?? skipped('each workspace has its own, from its installation'),
  'slack scopes': ({ bot }) => bot?.scopes ?? skipped('not checked without a token'),
  'slack app': ({ config: { slack } }) =>
    slack.oauth === undefined ? skipped('one workspace, by its token') : checkClientSecret(slack.oauth, slack.apiUrl),
  'socket mode': ({ config: { slack } }) =>
    slack.appToken === undefined ? skipped('Slack calls PUBLIC_URL') : checkAppToken(slack.appToken, slack.apiUrl),
  'public address': ({ config }) => publicAddressLeadsHere(config),
  'clock and slack': ({ config }) => slackClock(config),
  'clock and database': withProbe(databaseClock),
  'service hosts': ({ config }) => serviceHosts(config),
  'malware scanner': ({ config }) => malwareScanner(config),
  disk: ({ config }) => diskSpace(config),
  metrics: ({ config }) => metricsPort(config),
  'support contact': ({ config }) => supportContact(config),
};

async function slackClock({ slack }: Config): Promise<Result> {
  const askedAt = Date.now();
  const slackTime = await readSlackTime(slack.apiUrl);
  if (typeof slackTime !== 'number') return slackTime;
  // Slack reports whole seconds, so half a second is added.
  return skewResult(slackTime + 500 - (askedAt + Date.now()) / 2, 'Slack');
}

/** Runs all checks. If variables are missing or wrong, reports only these. */
export async function checkAll(env: NodeJS.ProcessEnv): Promise<CheckResult[]> {
  let config: Config;
  try {
    config = readConfig('all', env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.problems.map((problem) => failed(problem, 'npm run setup asks for it.'));
    return [...problems, skipped('the rest is not checked without these variables')].map(withName('variables'));
  }
  const [database, bot] = await Promise.all([
    openCheckedDatabase(config.database),
    config.slack.botToken === undefined ? undefined : checkBotToken(config.slack.botToken, config.slack.apiUrl),
  ]);
  try {
    const context = { env, config, database, bot };
    const results = Object.entries(checks).map(async ([name, check]) => withName(name)(await runCheck(check, context)));
    return [withName('variables')(ok('complete')), ...(await Promise.all(results))];
  } finally {
    await database.close();
  }
}

const withName = (name: string) => (result: Result) => ({ name, ...result });

async function runCheck(check: Check, context: Context): Promise<Result> {
  try {
    return await check(context);
  } catch (error) {
    return failed(reasonOf(error), 'Fix this, then check again.');
  }
}
