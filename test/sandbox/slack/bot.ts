import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver } from '@slack/bolt';
import { onTestFinished } from 'vitest';
import type { SlackServer } from '../../../src/sandbox/slack/index.ts';
import { app, silent, type TestWorkspace } from './helper.ts';

/** Starts a real Bolt app with these listeners. The server delivers to it. */
export async function startBot({ slack, acme }: TestWorkspace, listen: (app: App) => void): Promise<App> {
  const receiver = new HTTPReceiver({ signingSecret: app.signingSecret, logger: silent });
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } };
  const bolt = new App({
    receiver,
    logger: silent,
    clientOptions,
    convoStore: false,
    authorize: async ({ teamId }) => {
      const installation = [acme, ...slack.workspaces()].find(({ id }) => id === teamId)?.installation;
      if (!installation) throw new Error(`not installed in ${teamId}`);
      return { ...installation };
    },
  });
  listen(bolt);
  await startOnAnyPort(bolt, slack);
  return bolt;
}

export async function startOnAnyPort(bolt: App, slack: SlackServer): Promise<string> {
  const server = await bolt.start(0);
  const { port } = (server as { address(): AddressInfo }).address();
  onTestFinished(async () => {
    await bolt.stop();
  });
  const origin = `http://127.0.0.1:${port}`;
  slack.deliverTo(origin);
  return origin;
}
