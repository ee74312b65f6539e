import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { envFilePath, readEnvFile } from './lib/env-file.ts';
import { isLoopback } from './lib/loopback.ts';

export const roles = ['web', 'worker', 'all'] as const;
export type Role = (typeof roles)[number];

/** Commands that run once and end. */
export const commands = ['check', 'manifest', 'reencrypt', 'restored', 'setup', 'verify'] as const;
export type Command = (typeof commands)[number];

export interface Config {
  role: Role;
  port: number;
  host: string;
  /** Undefined if METRICS_PORT is not set. */
  metrics: { port: number; host: string } | undefined;
  logLevel: string;
  /** AUDIT_LOG: whether the audit is logged too, as a whole or without names. */
  auditLog: 'true' | 'ids' | 'false';
  database: { url: string; secretKeys: Buffer[] } | { dataDir: string; secretKeys: Buffer[] | undefined };
  /** The public URL, without a trailing slash. */
  publicUrl: string | undefined;
  /** Where people get help: an e-mail address or a page. */
  support: string | undefined;
  slack: SlackConfig;
  exchange: { hosts: string[] | undefined; pollMs: number };
  /** The malware scanner; undefined if CLAMD_HOST is not set. */
  scan: ScanConfig | undefined;
  /** SCAN_REQUIRED; undefined if it is not set. */
  scanRequired: boolean | undefined;
}

export interface ScanConfig {
  address: { host: string; port: number } | { path: string };
  maxBytes: number;
  isRequired: boolean;
}

/** How Slack is reached: over HTTP or Socket Mode; with OAuth for many workspaces, or with a token for one. */
export interface SlackConfig {
  signingSecret: string;
  oauth: { clientId: string; clientSecret: string } | undefined;
  botToken: string | undefined;
  appToken: string | undefined;
  /** The URL of a simulated Slack. */
  apiUrl: string | undefined;
  authorizeUrl: string | undefined;
}

/** Lists every problem in the environment variables, with its fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Dropline cannot start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

const port = (name: string) =>
  z
    .string()
    .regex(/^\d{1,5}$/, `${name} must be a port, 0 to 65535`)
    .transform(Number)
    .refine((value) => value <= 65_535, `${name} must be a port, 0 to 65535`);

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const secretKeys = z.string().transform((text, context) => {
  const texts = text.split(',').map((key) => key.trim());
  const keys = texts.map((key) => Buffer.from(key, 'base64'));
  // Decoding ignores what isn't base64, so ordinary text of the right length would become a key that is easy to guess.
  if (keys.every((key, index) => key.length === 32 && key.toString('base64') === texts[index])) return keys;
  context.addIssue(
    'SECRET_KEY must be base64 of 32 bytes, or several of them separated by commas. For a new database, npm run setup makes one',
  );
  return z.NEVER;
});

export const postgresUrl = z
  .string()
  .refine(
    (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text),
    'DATABASE_URL must look like postgresql://user:password@host:5432/database',
  );

const address = (name: string) =>
  z
    .string()
    .refine(
      (text) => /^https?:\/\//.test(text) && URL.canParse(text),
      `${name} must be an address that begins with https://`,
    )
    .transform((text) => text.replace(/\/+$/, ''));

/** Pages for API keys and download links must never be sent unencrypted. */
export const publicAddress = address('PUBLIC_URL').refine(
  (text) => text.startsWith('https://') || isLoopback(new URL(text).hostname),
  'PUBLIC_URL must begin with https:// (http:// is only allowed for localhost)',
);

const supportContact = z
  .string()
  .trim()
  .max(200, 'SUPPORT_CONTACT can have 200 characters at most')
  .refine(
    (text) => z.email().safeParse(text).success || (text.startsWith('https://') && URL.canParse(text)),
    'SUPPORT_CONTACT must be an e-mail address, or a page that begins with https://',
  );

const token = (name: string, prefix: string) => z.string().startsWith(prefix, `${name} must begin with ${prefix}`);

const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
);

const clamdAddress = z.string().transform((text, context): ScanConfig['address'] => {
  const value = text.trim();
  if (value.startsWith('/')) return { path: value };
  const [, inBrackets, host = inBrackets, port = '3310'] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9][a-z0-9.-]*))(?::(\d{1,5}))?$/i.exec(value) ?? [];
  if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) };
  context.addIssue('CLAMD_HOST must be host:port, or the path of a socket that begins with /');
  return z.NEVER;
});

export const variables = z.object({
  ENV_FILE: z.string().optional(),
  PORT: port('PORT').default(3000),
  HOST: z.string().optional(),
  METRICS_PORT: port('METRICS_PORT').optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  AUDIT_LOG: z.enum(['true', 'ids', 'false'], 'AUDIT_LOG must be true, ids or false').default('false'),
  LOG_LEVEL: z.enum(logLevels, `LOG_LEVEL must be one of ${logLevels.join(', ')}`).default('info'),
  DATABASE_URL: postgresUrl.optional(),
  DATA_DIR: z.string().optional(),
  SECRET_KEY: secretKeys.optional(),
  PUBLIC_URL: publicAddress.optional(),
  SUPPORT_CONTACT: supportContact.optional(),
  SLACK_SIGNING_SECRET: z.string().optional(),
  SLACK_CLIENT_ID: z.string().optional(),
  SLACK_CLIENT_SECRET: z.string().optional(),
  SLACK_BOT_TOKEN: token('SLACK_BOT_TOKEN', 'xoxb-').optional(),
  SLACK_APP_TOKEN: token('SLACK_APP_TOKEN', 'xapp-').optional(),
  SLACK_API_URL: address('SLACK_API_URL').optional(),
  SLACK_AUTHORIZE_URL: address('SLACK_AUTHORIZE_URL').optional(),
  EXCHANGE_HOSTS: commaSeparated.optional(),
  POLL_SECONDS: z
    .string()
    .regex(/^\d{1,5}$/, 'POLL_SECONDS must be a number of seconds, 5 at least')
    .transform(Number)
    .refine((seconds) => seconds >= 5, 'POLL_SECONDS must be a number of seconds, 5 at least')
    .default(60),
  CLAMD_HOST: clamdAddress.optional(),
  CLAMD_MAX_BYTES: z
    .string()
    .regex(/^\d{1,15}$/, 'CLAMD_MAX_BYTES must be a number of bytes')
    .transform(Number)
    .default(25 * 1024 * 1024),
  SCAN_REQUIRED: z
    .enum(['true', 'false'], 'SCAN_REQUIRED must be true or false')
    .transform((text) => text === 'true')
    .optional(),
});

/** The names of all environment variables. */
export const variableNames: readonly string[] = Object.keys(variables.shape);

/**
 * The variables of the process and of the file `.env`. If both set a variable, the process's value is used.
 *
 * @param canBeMissing whether the file at ENV_FILE can be missing
 */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env, canBeMissing = false): NodeJS.ProcessEnv {
  const path = envFilePath(env);
  if (path === undefined) return env;
  try {
    const values = readEnvFile(path);
    if (values === undefined && env.ENV_FILE && !canBeMissing) throw new Error('there is no such file');
    return { ...values, ...env };
  } catch (error) {
    throw new ConfigError([`ENV_FILE: ${path} cannot be read (${error instanceof Error ? error.message : error})`]);
  }
}

/** The environment for a child process: ours, with extra variables. */
export const childEnvironment = (extra: Record<string, string>): NodeJS.ProcessEnv => ({ ...process.env, ...extra });

/**
 * Reads the configuration from the variables. An empty variable counts as not set.
 *
 * @param needsSlack whether the Slack variables are required
 */
export function readConfig(role: Role, env: NodeJS.ProcessEnv = process.env, needsSlack = true): Config {
  const values = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const { success, data, error } = variables.safeParse(values);
  const problems = success ? [] : error.issues.map(({ message }) => message);
  if (values.DATABASE_URL === undefined && role !== 'all') {
    problems.push(
      `DATABASE_URL must be set to run "${role}": without it, Postgres is embedded, and only "all" can do that`,
    );
  }
  if (
    values.METRICS_PORT !== undefined &&
    values.METRICS_PORT !== '0' &&
    values.METRICS_PORT === (values.PORT ?? '3000')
  ) {
    problems.push('METRICS_PORT must differ from PORT');
  }
  if (values.DATABASE_URL !== undefined && values.SECRET_KEY === undefined) {
    problems.push(
      'SECRET_KEY must be set with DATABASE_URL: the key that its data is encrypted with. For a new database, npm run setup makes one',
    );
  }
  if (values.SCAN_REQUIRED === 'true' && values.CLAMD_HOST === undefined) {
    problems.push('CLAMD_HOST must be set with SCAN_REQUIRED: host:port or the socket of clamd');
  }
  if (needsSlack) problems.push(...slackProblems(values));
  if (data === undefined || problems.length > 0) throw new ConfigError(problems);
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = data;
  return {
    role,
    port: data.PORT,
    host: data.HOST ?? defaultHost(values),
    metrics: data.METRICS_PORT === undefined ? undefined : { port: data.METRICS_PORT, host: data.METRICS_HOST },
    logLevel: data.LOG_LEVEL,
    auditLog: data.AUDIT_LOG,
    database:
      data.DATABASE_URL !== undefined && data.SECRET_KEY !== undefined
        ? { url: data.DATABASE_URL, secretKeys: data.SECRET_KEY }
        : { dataDir: data.DATA_DIR ?? defaultDataDir(), secretKeys: data.SECRET_KEY },
    publicUrl: data.PUBLIC_URL,
    support: data.SUPPORT_CONTACT,
    slack: {
      signingSecret: data.SLACK_SIGNING_SECRET ?? '',
      oauth: clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : undefined,
      botToken: data.SLACK_BOT_TOKEN,
      appToken: data.SLACK_APP_TOKEN,
      apiUrl: data.SLACK_API_URL === undefined ? undefined : `${data.SLACK_API_URL}/`,
      authorizeUrl: data.SLACK_AUTHORIZE_URL,
    },
    exchange: { hosts: data.EXCHANGE_HOSTS, pollMs: data.POLL_SECONDS * 1_000 },
    scan:
      data.CLAMD_HOST === undefined
        ? undefined
        : { address: data.CLAMD_HOST, maxBytes: data.CLAMD_MAX_BYTES, isRequired: data.SCAN_REQUIRED === true },
    scanRequired: data.SCAN_REQUIRED,
  };
}

/** Missing or conflicting Slack variables, and where to find their values. */
function slackProblems(values: Record<string, string | undefined>): string[] {
  const problems: string[] = [];
  if (values.SLACK_SIGNING_SECRET === undefined && values.SLACK_APP_TOKEN === undefined) {
    problems.push(
      'SLACK_SIGNING_SECRET must be set: it is under Basic Information of the Slack app (or SLACK_APP_TOKEN, for Socket Mode)',
    );
  }
  const hasOauth = values.SLACK_CLIENT_ID !== undefined && values.SLACK_CLIENT_SECRET !== undefined;
  if (!hasOauth && values.SLACK_BOT_TOKEN === undefined) {
    problems.push(
      'SLACK_CLIENT_ID and SLACK_CLIENT_SECRET must be set, for any number of workspaces; or SLACK_BOT_TOKEN, for one',
    );
  }
  if (hasOauth && values.SLACK_BOT_TOKEN !== undefined && values.SLACK_APP_TOKEN === undefined) {
    problems.push(
      'SLACK_BOT_TOKEN must not be set with SLACK_CLIENT_ID and SLACK_CLIENT_SECRET: keep those two to serve any number of workspaces that install the app, or the token alone to serve its own',
    );
  }
  if (values.SLACK_APP_TOKEN !== undefined && values.SLACK_BOT_TOKEN === undefined) {
    problems.push('SLACK_BOT_TOKEN must be set with SLACK_APP_TOKEN: Socket Mode serves one workspace');
  }
  return problems;
}

/**
 * All interfaces. In Socket Mode without pages only health checks connect, so then only this machine, unless PORT is
 * set: platforms that set it check the process from outside.
 */
function defaultHost({ SLACK_APP_TOKEN, PUBLIC_URL, PORT }: Record<string, string | undefined>): string {
  const isLocal = SLACK_APP_TOKEN !== undefined && PUBLIC_URL === undefined && PORT === undefined;
  return isLocal ? '127.0.0.1' : '0.0.0.0';
}

/** The data folder. Not in root's home, because the account that runs Postgres for root can't enter it. */
function defaultDataDir(): string {
  return process.getuid?.() === 0 ? '/var/lib/dropline' : join(homedir(), '.local', 'share', 'dropline');
}
