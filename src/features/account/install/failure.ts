import type { ServerResponse } from 'node:http';
import { isDroplineError } from '../../../errors.ts';
import { isSlackFailure, platformErrorOf } from '../../../slack/platform-errors.ts';
import { errorBody, html, pageHeaders } from '../../common/html-page.ts';

const again = 'Open /slack/install to start again.';
const forOperator = 'Tell the people who run this Dropline:';

/** By the `error` that Slack adds to the redirect URL. */
const redirectMessages: Record<string, string> = {
  access_denied: `The installation was cancelled. ${again}`,
  invalid_team_for_non_distributed_app: `Slack installs this app only in its own workspace. ${forOperator} turn on "Manage Distribution" in the Slack app.`,
};

/** By the code of the SDK's error, or of Slack's answer. */
const messages: Record<string, string> = {
  slack_oauth_missing_state: again,
  slack_oauth_invalid_state: `The page was open too long, or in another browser. ${again}`,
  slack_oauth_missing_code: again,
  slack_oauth_installer_authorization_error: `Slack refused the installation. ${again}`,
  invalid_code: `The page was open too long. ${again}`,
  code_already_used: `This page was opened before. ${again}`,
  invalid_client_id: `Slack doesn't know this app. ${forOperator} correct SLACK_CLIENT_ID.`,
  bad_client_secret: `Slack refuses this app's secret. ${forOperator} correct SLACK_CLIENT_SECRET.`,
  bad_redirect_uri: `Slack doesn't know this address. ${forOperator} add it in the Slack app under "OAuth & Permissions" > "Redirect URLs".`,
};

/** Says why an installation failed, and what to do. Never shows text from the request. */
export function showInstallFailure(response: ServerResponse, error: unknown, url: string | undefined): void {
  response.writeHead(400, pageHeaders).end(html(errorBody(messageOf(error, url ?? ''))));
}

function messageOf(error: unknown, url: string): string {
  if (isDroplineError(error)) return error.message;
  const refusal = new URL(url, 'http://localhost').searchParams.get('error') ?? '';
  if (Object.hasOwn(redirectMessages, refusal)) return redirectMessages[refusal] ?? '';
  const code = platformErrorOf(error) ?? String((error as { code?: unknown } | undefined)?.code);
  if (Object.hasOwn(messages, code)) return messages[code] ?? '';
  if (isSlackFailure(error)) return `Slack doesn't answer at the moment. Wait a little. ${again}`;
  return `Dropline could not be installed. ${again}`;
}
