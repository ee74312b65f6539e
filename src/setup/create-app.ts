import { ask, clientFor } from '../check/slack.ts';
import { createAppLink, manifestFor } from '../slack/manifest.ts';
import type { Values } from './check-secrets.ts';
import { openLink } from './open-link.ts';
import type { Prompts } from './prompts.ts';
import { type Mode, type SecretName, secrets, secretsOf } from './secrets.ts';

/** Has the Slack app created, and says where its secrets are. Sets those that Slack returns. */
export async function createSlackApp(
  prompts: Prompts,
  mode: Mode,
  values: Values,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const isMissing = (name: SecretName) => values[name] === undefined;
  const manifest = manifestFor(mode === 'socket' ? undefined : values.PUBLIC_URL?.replace(/\/+$/, ''));
  // If some of its secrets are known, the app exists already.
  const appId = secretsOf[mode].every(isMissing) ? await createWithToken(prompts, mode, values, manifest) : undefined;
  if (appId === undefined) showLink(prompts, manifest, env);
  const missing = secretsOf[mode].filter(isMissing);
  if (missing.length === 0) return;
  const pages = appId === undefined ? 'its pages' : `https://api.slack.com/apps/${appId}`;
  const where = missing.map((name) => `${secrets[name].label}: ${secrets[name].where}`);
  prompts.say(`Then copy from ${pages}:\n${where.join('\n')}`);
}

const tokenText = 'the Access Token (xoxe.xoxp-…) under "Your App Configuration Tokens" at api.slack.com/apps';

const copyAgain = `Copy ${tokenText} again.`;

/** Slack's answer. */
interface CreatedApp {
  app_id?: string;
  credentials?: { client_id?: string; client_secret?: string; signing_secret?: string };
}

/** What to do if Slack refuses to create the app, by its error code. */
const fixes: Record<string, string> = {
  invalid_auth: copyAgain,
  not_allowed_token_type: copyAgain,
  token_revoked: 'Generate a new token.',
  token_expired: 'It is valid for 12 hours. Generate a new one.',
  invalid_manifest: 'Check the public address: it must be one that everyone can reach, with https.',
  access_denied: 'Ask an admin of the workspace to let you create apps.',
  no_permission: 'Ask an admin of the workspace to let you create apps.',
};

/** Asks until Slack has created the app, and returns its id; undefined if the person has no token. */
async function createWithToken(
  prompts: Prompts,
  mode: Mode,
  values: Values,
  manifest: object,
): Promise<string | undefined> {
  prompts.say(`Dropline can create the Slack app for you, with ${tokenText}. It is used once and not stored.`);
  for (;;) {
    const token = await prompts.secret('App configuration token, or Enter to create the app yourself', (text) =>
      text === '' || text.startsWith('xoxe.xoxp-') ? undefined : 'It begins with xoxe.xoxp-',
    );
    if (token === '') return undefined;
    prompts.say('Asking Slack …');
    const client = clientFor(token, values.SLACK_API_URL);
    const create = () => client.apiCall('apps.manifest.create', { manifest: JSON.stringify(manifest) });
    const asked = await ask(create, fixes);
    if ('answer' in asked) {
      const { app_id: appId = '', credentials } = asked.answer as CreatedApp;
      const returned: Partial<Record<SecretName, string | undefined>> = {
        SLACK_SIGNING_SECRET: credentials?.signing_secret,
        SLACK_CLIENT_ID: credentials?.client_id,
        SLACK_CLIENT_SECRET: credentials?.client_secret,
      };
      for (const name of secretsOf[mode]) if (returned[name] !== undefined) values[name] = returned[name];
      prompts.done(`Slack app: created (${appId})`);
      return appId;
    }
    prompts.fail(`Slack app: ${asked.result.message}\n${asked.result.fix}`);
  }
}

function showLink(prompts: Prompts, manifest: object, env: NodeJS.ProcessEnv): void {
  const paste = 'api.slack.com/apps > "Create New App" > "From a manifest". Pick a workspace and paste this as JSON:';
  // Windows cuts links near 2,083 characters.
  if (process.platform === 'win32') prompts.say(`Create the Slack app: ${paste}`);
  else {
    const link = createAppLink(manifest);
    prompts.say(
      'Create the Slack app with this link. It fills in everything: pick a workspace, click Next and Create.',
    );
    prompts.print(link);
    openLink(link, env);
    prompts.say(`If the link doesn't work: ${paste}`);
  }
  prompts.print(JSON.stringify(manifest));
}
