import type { ServerResponse } from 'node:http';
import { escaped, html, pageHeaders } from '../../common/html-page.ts';

export interface Installed {
  team: string;
  teamName: string | undefined;
  app: string | undefined;
}

/** The page that the browser shows after an installation. */
export function showInstalled(response: ServerResponse, { team, teamName, app }: Installed): void {
  const workspaceName = teamName === undefined ? 'your workspace' : escaped(teamName);
  const query = new URLSearchParams({ ...(app !== undefined && { app }), team });
  response.writeHead(200, pageHeaders).end(
    html(`<h1>Dropline is installed in ${workspaceName}</h1>
<p>Next step: open Slack and type <code>/drop connect</code> to connect your file service. You'll find a message from Dropline there.</p>
<p><a class="button" href="https://slack.com/app_redirect?${escaped(String(query))}">Open Slack</a></p>`),
  );
}
