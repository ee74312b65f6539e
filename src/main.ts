import { type Command, commands, type Role, readEnvironment, roles } from './config.ts';
import { readOptions, UsageError } from './lib/usage.ts';

const usage = `Usage: node dist/main.js <role or command>

  web         answers Slack and browsers
  worker      does the work
  all         both, in one process; with an embedded Postgres where DATABASE_URL is not set

  setup       guides you to your own Slack: asks, checks, writes .env and starts
  check       checks every precondition and says how to fix what fails
  manifest    prints the manifest of the Slack app
  reencrypt   after a rotation of SECRET_KEY: encrypts everything with its first key
  restored    after a restore from a backup, before the start: nothing that was open in it is sent again
  verify      checks the audit: says what was changed, removed, inserted or reordered in the database; checks receipts

Each has --help.
`;

type Run = (args: string[]) => Promise<void>;

// Loaded when they are needed: the bot takes a second or more to load.
const runCommand: Record<Command, Run> = {
  check: async (args) => (await import('./check/main.ts')).check(args, readEnvironment),
  manifest: async (args) => (await import('./setup/print-manifest.ts')).printManifest(args, readEnvironment),
  reencrypt: withoutOptions(async () => (await import('./process/store-commands.ts')).reencrypt(readEnvironment())),
  restored: withoutOptions(async () => (await import('./process/restored.ts')).restored(readEnvironment())),
  verify: async (args) => (await import('./process/verify.ts')).verify(args, readEnvironment),
  setup: async (args) => (await import('./setup/main.ts')).setup(args, () => readEnvironment(undefined, true)),
};

async function main([name = '', ...args]: string[]): Promise<void> {
  if (name === '--help' || name === '-h') return void process.stdout.write(usage);
  if (isOneOf(commands, name)) return runCommand[name](args);
  if (isOneOf(roles, name)) return runRole(name)(args);
  throw new UsageError(`${name === '' ? 'A role or command is missing.' : `Unknown: ${name}`}\n\n${usage}`);
}

const runRole = (role: Role) =>
  withoutOptions(async () => (await import('./process/run.ts')).run(role, readEnvironment()));

function withoutOptions(work: () => Promise<void>): Run {
  return async (args) => {
    if (readOptions(args, usage, {}) !== undefined) await work();
  };
}

function isOneOf<T extends string>(names: readonly T[], name: string): name is T {
  return (names as readonly string[]).includes(name);
}

/** Errors whose message says what to do. Others print a stack trace. */
const explainedErrors = [
  'UsageError',
  'ConfigError',
  'SetupProblem',
  'DatabaseProblem',
  'EmbeddedPostgresError',
  'OtherVersionError',
  'SecretKeyError',
];

main(process.argv.slice(2)).catch((error: unknown) => {
  const isExplained = error instanceof Error && explainedErrors.includes(error.name);
  process.stderr.write(`${error instanceof Error ? (isExplained ? error.message : error.stack) : String(error)}\n`);
  process.exitCode = 1;
});
