import type { RequestListener } from 'node:http';
import type { SlackApp } from '../app.ts';
import { serveKeyPage } from '../features/account/connect/page.ts';
import { frontPage, nothingToInstallPage, privacyPage } from '../features/account/install/page.ts';
import { withCallLimits } from '../features/common/connection.ts';
import { errorBody, sendPage } from '../features/common/page.ts';
import type { SlackServices } from '../features/common/slack-services.ts';
import { createDownloadPage } from '../features/inbox/download/page.ts';
import type { Runner } from '../jobs/index.ts';
import { createReadiness, healthRoutes } from './health.ts';

/**
 * All HTTP routes: health checks, our own pages, and requests from Slack and from people who install the app.
 *
 * @param slack undefined if this process doesn't serve Slack
 */
export function webRoutes(
  slackServices: SlackServices,
  runner: Runner | undefined,
  slack: Pick<SlackApp, 'listener' | 'openConnections' | 'canInstall'> | undefined,
): RequestListener {
  const services = withCallLimits(slackServices);
  const readiness = createReadiness(services, runner, slack);
  const health = healthRoutes(readiness);
  const serveDownload = createDownloadPage(services);
  const hasPages = services.publicUrl !== undefined;
  return async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    try {
      // Also in Socket Mode: browsers use these pages even if Slack sends no HTTP requests.
      if (hasPages && slack !== undefined && path.startsWith('/connect/'))
        return await serveKeyPage(services, request, response);
      if (hasPages && path === '/.well-known/dropline.json') {
        const body = `${JSON.stringify({ keys: await services.store.signingKeys.publicKeys() }, null, 2)}\n`;
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      }
      if (hasPages && path.startsWith('/d/')) return await serveDownload(request, response);
      if (slack !== undefined && path === '/') {
        const { isReady } = await readiness();
        const { canInstall } = slack;
        return sendPage(response, 200, frontPage({ canInstall, isReady, support: services.support }));
      }
      if (slack !== undefined && path === '/privacy') return sendPage(response, 200, privacyPage(services.support));
      if (slack?.canInstall === false && path === '/slack/install')
        return sendPage(response, 404, nothingToInstallPage);
      if (slack?.listener !== undefined && path.startsWith('/slack/')) return void slack.listener(request, response);
      await health(request, response);
    } catch (error) {
      // The client was too slow, or closed the connection before it had sent everything: there is no one to answer.
      if (request.destroyed && !request.complete) return;
      // The path isn't logged, because it can contain the token of a page.
      services.log.error({ err: error }, 'page failed');
      if (response.headersSent) response.end();
      else sendPage(response, 500, errorBody('Try again in a moment.'));
    }
  };
}
