import { createLog } from '../../src/lib/log.ts';
import { type OpenedServices, openServices } from '../../src/services.ts';
import type { BotWorkerArgs } from './bot-worker.ts';

/** Opens the services of a bot in another process. */
export function openBotServices({ databaseUrl, secretKey, slackApiUrl }: BotWorkerArgs): Promise<OpenedServices> {
  return openServices(
    {
      database: { url: databaseUrl, secretKeys: [Buffer.from(secretKey, 'base64')] },
      slack: {
        oauth: undefined,
        botToken: undefined,
        apiUrl: slackApiUrl,
        authorizeUrl: undefined,
        postEveryMs: 20,
      },
      exchange: { hosts: ['127.0.0.1'], pollMs: 200 },
      publicUrl: undefined,
      support: undefined,
    },
    createLog('error', process.stderr),
  );
}
