import { WebClient } from '@slack/web-api';
import { clientOptions } from '../slack/clients.ts';
import { type Manifest, readManifest, scopesOf } from '../slack/manifest.ts';
import { platformErrorOf } from '../slack/platform-errors.ts';
import { failed, ok, type Result, reasonOf, skipped } from './result.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Times out after ten seconds without retries, because a person is waiting. */
export function clientFor(token: string | undefined, apiUrl: string | undefined): WebClient {
  return new WebClient(token, { ...clientOptions(apiUrl, silent), retryConfig: { retries: 0 } });
}

/** What to do about a wrong or outdated secret, by Slack's error code. */
const fixes: Record<string, string> = {
  invalid_auth: 'Copy the token again, from the Slack app that you created.',
  not_authed: 'Copy the token again, from the Slack app that you created.',
  account_inactive: 'The app was removed from the workspace: install it again and copy the new token.',
  token_revoked: 'The token was revoked: install the app again and copy the new token.',
  token_expired: 'Turn token rotation off in the app, install it again and copy the new token.',
  not_allowed_token_type: 'This is another kind of token.',
  missing_scope: 'Create an app-level token with the scope connections:write.',
  access_denied: 'Turn Socket Mode on: in the Slack app under "Socket Mode".',
  invalid_client_id: 'Copy the client ID again: "Basic Information" > "App Credentials".',
  bad_client_secret: 'Copy the client secret again: it is below the client ID. The signing secret is another one.',
};

/** `refused`: Slack's error code; empty if Slack couldn't be reached. `result`: the failed check. */
export async function ask<T>(
  call: () => Promise<T>,
  fixOf = fixes,
): Promise<{ answer: T } | { refused: string; result: Result }> {
  try {
    return { answer: await call() };
  } catch (error) {
    const refused = platformErrorOf(error);
    if (refused !== undefined) {
      const fix = fixOf[refused] ?? `Look up ${refused} at docs.slack.dev.`;
      return { refused, result: failed(`Slack refuses it (${refused})`, fix) };
    }
    return { refused: '', result: unreachable(error) };
  }
}

const unreachable = (error: unknown) =>
  failed(
    `Slack can't be reached (${reasonOf(error)})`,
    'Check that this machine can reach slack.com over HTTPS, then try again.',
  );

/** Whether Slack didn't answer, so that the secret couldn't be checked. */
export const isUnreachable = ({ message }: Result) => message.startsWith("Slack can't be reached");

export interface BotTokenChecks {
  token: Result;
  /** Undefined if the token couldn't be checked, isn't valid or belongs to a person. */
  scopes: Result | undefined;
}

/** Asks Slack who the token belongs to, and what it is allowed to do. */
export async function checkBotToken(token: string, apiUrl: string | undefined): Promise<BotTokenChecks> {
  const asked = await ask(() => clientFor(token, apiUrl).auth.test());
  if ('refused' in asked) return { token: asked.result, scopes: undefined };
  const { team, user, bot_id: bot, response_metadata: metadata } = asked.answer;
  if (bot === undefined) {
    const fix = 'Copy the Bot User OAuth Token: "OAuth & Permissions" > "OAuth Tokens".';
    return { token: failed('The token belongs to a person, not to the bot', fix), scopes: undefined };
  }
  return { token: ok(`@${user} in the workspace ${team}`), scopes: compareScopes(metadata?.scopes ?? []) };
}

function compareScopes(granted: readonly string[], manifest: Manifest = readManifest()): Result {
  const { bot_optional: optional } = manifest.oauth_config.scopes;
  const missing = scopesOf(manifest).filter((scope) => !granted.includes(scope));
  const required = missing.filter((scope) => !optional.includes(scope));
  if (required.length > 0) {
    const fix =
      'Add them under "OAuth & Permissions" > "Scopes", click "Reinstall to Workspace" and copy the new token.';
    return failed(`The app lacks ${required.join(', ')}`, fix);
  }
  const summary = `all ${scopesOf(manifest).length - missing.length} that are needed`;
  return ok(missing.length === 0 ? summary : `${summary}; without ${missing.join(', ')}, which is optional`);
}

/** Asks Slack for a Socket Mode connection, which isn't used. */
export async function checkAppToken(token: string, apiUrl: string | undefined): Promise<Result> {
  const asked = await ask(() => clientFor(token, apiUrl).apps.connections.open());
  return 'refused' in asked ? asked.result : ok('Slack offers a connection');
}

/** Redeems a code that doesn't exist: Slack checks the client ID and the secret first. */
export async function checkClientSecret(
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  apiUrl: string | undefined,
): Promise<Result> {
  const parameters = { client_id: clientId, client_secret: clientSecret, code: 'check' };
  const asked = await ask(() => clientFor(undefined, apiUrl).oauth.v2.access(parameters));
  return 'refused' in asked && asked.refused !== 'invalid_code'
    ? asked.result
    : ok('Slack knows the client ID and secret');
}

/** Reads Slack's clock from the `date` header of an answer, which has whole seconds. */
export async function readSlackTime(apiUrl = 'https://slack.com/api/'): Promise<number | Result> {
  try {
    const answer = await fetch(new URL('api.test', apiUrl), { method: 'POST', signal: AbortSignal.timeout(10_000) });
    await answer.body?.cancel();
    const date = Date.parse(answer.headers.get('date') ?? '');
    return Number.isNaN(date) ? skipped("Slack's answer has no date") : date;
  } catch (error) {
    return unreachable(error);
  }
}
