import { isDroplineError } from '../../../lib/errors.ts';
import { isSlackFailure, platformErrorOf } from '../../../slack/platform-errors.ts';
import { missingScopes, notGranted, withoutScope } from '../../../slack/scopes.ts';
import { errorBody, escaped } from '../../common/page.ts';
import { deletion, storedData } from './privacy.ts';

export interface Installed {
  team: string;
  teamName: string | undefined;
  app: string | undefined;
  /** The scopes that Slack granted. */
  scopes?: readonly string[];
}

/** The page that the browser shows after an installation. */
export function installedPage({ team, teamName, app, scopes }: Installed): string {
  const workspaceName = teamName === undefined ? 'your workspace' : escaped(teamName);
  const query = new URLSearchParams({ ...(app !== undefined && { app }), team });
  return `<h1>Dropline is installed in ${workspaceName}</h1>
<p>Next, open Slack and type <code>/drop connect</code> to connect your file service. You'll find a message from Dropline there.</p>
<p><a class="button" href="https://slack.com/app_redirect?${escaped(String(query))}">Open Slack</a></p>${missingPart(missingScopes(scopes))}`;
}

/** The message in Slack says the same, but can't be sent without `chat:write`. */
function missingPart(missing: readonly string[]): string {
  if (missing.length === 0) return '';
  const items = missing.map((scope) => `<li><code>${scope}</code>: ${escaped(withoutScope[scope] ?? '')}</li>`);
  return `
<h2>${notGranted}</h2><ul>${items.join('')}</ul>
<p><a href="/slack/install">Install again</a></p>`;
}

const startAgainText = 'Start the installation again.';
const askOperatorText = "Ask Dropline's operator to";

/** Messages by the `error` that Slack adds to the redirect URL. */
const redirectMessages: Record<string, string> = {
  access_denied: `The installation was cancelled. ${startAgainText}`,
  invalid_team_for_non_distributed_app: `Slack installs this app only in its own workspace. ${askOperatorText} turn on "Manage Distribution" in the Slack app.`,
};

/** Messages by the code of the SDK's error, or of Slack's answer. */
const messages: Record<string, string> = {
  slack_oauth_missing_state: startAgainText,
  slack_oauth_invalid_state: `The page was open too long, or in another browser. ${startAgainText}`,
  slack_oauth_missing_code: startAgainText,
  slack_oauth_installer_authorization_error: `Slack refused the installation. ${startAgainText}`,
  invalid_code: `The page was open too long. ${startAgainText}`,
  code_already_used: `This page was opened before. ${startAgainText}`,
  invalid_client_id: `Slack doesn't know this app. ${askOperatorText} correct SLACK_CLIENT_ID.`,
  bad_client_secret: `Slack refuses this app's secret. ${askOperatorText} correct SLACK_CLIENT_SECRET.`,
  bad_redirect_uri: `Slack doesn't know this address. ${askOperatorText} add it in the Slack app under "OAuth & Permissions" > "Redirect URLs".`,
};

export function refusalPage(message: string): string {
  return `${errorBody(message, "Dropline wasn't installed")}
<p><a class="button" href="/slack/install">Start again</a></p>`;
}

/** Says why an installation failed, and what to do. Never has text from the request. */
export function installFailureText(error: unknown, url = ''): string {
  if (isDroplineError(error)) return error.message;
  const refusal = new URL(url, 'http://localhost').searchParams.get('error') ?? '';
  if (Object.hasOwn(redirectMessages, refusal)) return redirectMessages[refusal] ?? '';
  const code = platformErrorOf(error) ?? String((error as { code?: unknown } | undefined)?.code);
  if (Object.hasOwn(messages, code)) return messages[code] ?? '';
  if (isSlackFailure(error)) return `Slack isn't responding. Wait a moment. ${startAgainText}`;
  return startAgainText;
}

export interface FrontPage {
  /** Whether workspaces can install the app from here. */
  canInstall: boolean;
  isReady: boolean;
  support: string | undefined;
}

/** The public page at `/`: what Dropline is, and how to install it. */
export function frontPage({ canInstall, isReady, support }: FrontPage): string {
  return `<h1>Secure file exchange in Slack</h1>
<p>Send and receive files securely without leaving Slack. People type <code>/drop</code>; the files travel through your organisation's file-exchange service.</p>
${canInstall ? '<p><a class="button" href="/slack/install">Add to Slack</a></p>' : `<p>${oneWorkspace}</p>`}
<h2>Status</h2>
${isReady ? '<p class="status">Dropline is running.</p>' : `<p class="status down">${downText}</p>`}
<h2>Privacy</h2>
<p>Files are streamed between Slack and the file service. <a href="/privacy">What Dropline stores, and for how long</a></p>
${helpText(support)}`;
}

/** The public page at `/privacy`. */
export function privacyPage(support: string | undefined): string {
  const text = (markdown: string) => escaped(markdown).replace(/`(.+?)`/g, '<code>$1</code>');
  const rows = [...storedData.matchAll(/^\| (.+) \| (.+) \| (.+) \| (.+) \|$/gm)].map(
    ([
      ,
      what = '',
      where = '',
      howLong = '',
      whoSees = '',
    ]) => `<h2>${text(what.charAt(0).toUpperCase() + what.slice(1))}</h2>
<dl><dt>Where</dt><dd>${text(where)}</dd><dt>How long</dt><dd>${text(howLong)}</dd><dt>Who sees it</dt><dd>${text(whoSees)}</dd></dl>`,
  );
  return `<h1>What Dropline stores</h1>
${rows.join('\n')}
<p>${text(deletion)}</p>
${helpText(support)}`;
}

const downText = 'Dropline is temporarily unavailable. It will recover on its own.';

const oneWorkspace =
  'This Dropline serves one Slack workspace and is already installed there. Open Slack and type <code>/drop</code>.';

/** The page at `/slack/install` of a deployment with a bot token. */
export const nothingToInstallPage = `<h1>Nothing to install here</h1><p>${oneWorkspace}</p>`;

/** Where people get help, as HTML; empty if the operator named no contact. */
function helpText(support: string | undefined): string {
  if (support === undefined) return '';
  const href = support.startsWith('https://') ? support : `mailto:${support}`;
  return `<p>Help: <a href="${escaped(href)}">${escaped(support)}</a></p>`;
}
