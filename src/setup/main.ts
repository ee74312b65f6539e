import { readOptions } from '../lib/usage.ts';

const usage = `Usage: npm run setup, or node dist/main.js setup

Guides you to your own Slack: creates the app for you or with a link, asks for its secrets, tries them and the database,
writes .env (or the file that ENV_FILE names) and starts Dropline. What the environment or .env already has isn't asked
for.

Without a terminal it asks nothing: it takes the variables from the environment and, as NAME=value lines, from standard
input, says what is missing, and exits with 1. Secrets are never options, because others on this machine could see them.

BROWSER=none opens no browser.
`;

export async function setup(args: string[], environment: () => NodeJS.ProcessEnv): Promise<void> {
  if (readOptions(args, usage, {}) === undefined) return;
  const env = environment();
  const { readTarget } = await import('./target.ts');
  const target = readTarget(env);
  // The prompts are loaded only for a terminal.
  if (process.stdin.isTTY && process.stdout.isTTY) {
    const [{ createPrompts }, { runGuided }] = await Promise.all([import('./prompts.ts'), import('./guided.ts')]);
    await runGuided(createPrompts(), target, env);
  } else {
    await (await import('./unattended.ts')).runUnattended(target, process.stdin);
  }
}
