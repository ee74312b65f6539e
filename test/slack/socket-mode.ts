import { onTestFinished } from 'vitest';
import { createLog } from '../../src/lib/log.ts';
import { startSlackServer } from '../../src/sandbox/slack/index.ts';
import { createSocketMode } from '../../src/slack/socket-mode.ts';

const appToken = 'xapp-1-A1-token';

/**
 * Socket Mode without a bot, and the Slack that it connects to.
 *
 * @param clock Slack's clock; with it, Slack limits calls
 */
export async function setUpSocketMode({ pauseMs = 60_000, clock }: { pauseMs?: number; clock?: () => number } = {}) {
  const manifest = { display_information: { name: 'Dropline' }, settings: { socket_mode_enabled: true } };
  const secrets = { clientId: '1.2', clientSecret: 'secret', signingSecret: 'secret' };
  const app = { id: 'A1', ...secrets, appToken, manifest };
  const slack = await startSlackServer({ app, rateLimits: clock !== undefined, ...(clock && { clock }) });
  onTestFinished(() => slack.close());
  const socket = createSocketMode({ appToken, apiUrl: slack.apiUrl, pauseMs, log: createLog('silent') });
  onTestFinished(() => socket.stop());
  return { slack, socket };
}
