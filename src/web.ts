import type { RequestListener } from 'node:http';
import type { SlackApp } from './app.ts';
import { serveKeyPage } from './features/connect/page.ts';
import { inTurn } from './features/in-turn.ts';
import { serveDownload } from './features/inbox/page.ts';
import type { SlackServices } from './features/ui-services.ts';
import { healthRoutes } from './health.ts';
import type { Runner } from './jobs/index.ts';

/**
 * Everything that is served on the one port: health, our own pages, and what Slack and installers ask for.
 *
 * @param slack absent where this process does not speak with Slack
 */
export function webRoutes(
  given: SlackServices,
  runner: Runner | undefined,
  slack: Pick<SlackApp, 'listener' | 'isConnected'> | undefined,
): RequestListener {
  const services = inTurn(given);
  const health = healthRoutes(services, runner, slack);
  const hasPages = services.publicUrl !== undefined;
  return async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    try {
      // Also in Socket Mode: people's browsers come here even where Slack does not.
      if (hasPages && slack !== undefined && path.startsWith('/connect/'))
        return await serveKeyPage(services, request, response);
      if (hasPages && path.startsWith('/d/')) return await serveDownload(services, request, response);
      if (slack?.listener !== undefined && path.startsWith('/slack/')) return void slack.listener(request, response);
      await health(request, response);
    } catch (error) {
      // Whoever was too slow, or left in the middle of a form, is not there to be answered.
      if (request.destroyed && !request.complete) return;
      // The path may hold the token of a page: it is not logged.
      services.log.error({ err: error }, 'page failed');
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end('Something went wrong on our side.\n');
    }
  };
}
