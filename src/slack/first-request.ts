import type { RequestListener } from 'node:http';
import type { Log } from '../lib/log.ts';

/**
 * Logs the first request that was answered with success: Slack signed it, or it completed an installation. Set-up waits
 * for it.
 */
export function logFirstRequest(listener: RequestListener, log: Pick<Log, 'info'>): RequestListener {
  let isLogged = false;
  return (request, response) => {
    if (!isLogged && /^\/slack\/(events|oauth_redirect)/.test(request.url ?? '')) {
      response.once('finish', () => {
        if (isLogged || response.statusCode !== 200) return;
        isLogged = true;
        log.info({}, 'heard from slack');
      });
    }
    listener(request, response);
  };
}
