import type { RequestListener } from 'node:http';
import { serveKeyPage } from './features/connect/page.ts';
import { serveDownload } from './features/inbox/page.ts';
import type { SlackServices } from './features/ui-services.ts';
import { healthRoutes } from './health.ts';
import type { Runner } from './jobs/index.ts';

/** Everything that is served on the one port: health, our own pages, and what Slack and installers ask for. */
export function webRoutes(
  services: SlackServices,
  runner: Runner | undefined,
  slack: RequestListener | undefined,
): RequestListener {
  const health = healthRoutes(services, runner);
  return async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    try {
      if (slack !== undefined && path.startsWith('/connect/')) return await serveKeyPage(services, request, response);
      if (services.publicUrl !== undefined && path.startsWith('/d/'))
        return await serveDownload(services, request, response);
      if (slack !== undefined && path.startsWith('/slack/')) return void slack(request, response);
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
