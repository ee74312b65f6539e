import type { ServerResponse } from 'node:http';
import { escaped, html, pageHeaders } from '../../common/html-page.ts';

export interface FrontPage {
  /** Whether workspaces can install the app from here. */
  canInstall: boolean;
  isReady: boolean;
  support: string | undefined;
}

/** The page at `/`, which anyone can open: what this is, and how to get it. */
export function showFrontPage(response: ServerResponse, { canInstall, isReady, support }: FrontPage): void {
  response.writeHead(200, pageHeaders).end(
    html(`<h1>Dropline</h1>
<p>Send and receive files securely without leaving Slack. People type <code>/drop</code>; the files travel through your organization's file-exchange service.</p>
${canInstall ? '<p><a class="button" href="/slack/install">Add to Slack</a></p>' : `<p>${oneWorkspace}</p>`}
<h2>Status</h2>
<p>${isReady ? 'Dropline is running.' : 'Something that Dropline needs is down at the moment. It resumes on its own.'}</p>
<h2>Privacy</h2>
<ul><li>Files are streamed between Slack and the file service. Dropline keeps none.</li>
<li>Keys, tokens, names, recipients and messages are stored encrypted. Details of transfers are deleted after 30 days, inbox records after 90 days, the audit log after 400 days.</li>
<li><code>/drop disconnect</code> and uninstalling the app delete all data of a workspace.</li></ul>
${support === undefined ? '' : `<p>Help: ${supportLink(support)}</p>`}`),
  );
}

const oneWorkspace =
  'This Dropline serves one Slack workspace and is already installed there. Open Slack and type <code>/drop</code>.';

/** The page at `/slack/install` of a deployment with a bot token. */
export function showNothingToInstall(response: ServerResponse): void {
  response.writeHead(404, pageHeaders).end(html(`<h1>Nothing to install here</h1><p>${oneWorkspace}</p>`));
}

function supportLink(support: string): string {
  const href = support.startsWith('https://') ? support : `mailto:${support}`;
  return `<a href="${escaped(href)}">${escaped(support)}</a>`;
}
