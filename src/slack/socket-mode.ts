import { setTimeout as sleep } from 'node:timers/promises';
import { SocketModeReceiver } from '@slack/bolt';
import { clientOptions } from './clients.ts';
import { quietLogger, type SlackLog } from './log.ts';

export interface SocketMode {
  receiver: SocketModeReceiver;
  /** Connects, or rejects; from then on it stays connected as well as it can. */
  start(): Promise<void>;
  stop(): Promise<void>;
  isConnected(): boolean;
}

/** Slack closes every connection after some hours: the first pause is short. The last is repeated. */
const pausesMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000];

/**
 * Listens by a connection that it opens itself, and opens another whenever that is lost, however long Slack is away. The
 * SDK's own way to connect again gives up with a rejection that nobody can handle, which would end the process.
 */
export function createSocketMode(options: { appToken: string; apiUrl: string | undefined; log: SlackLog }): SocketMode {
  const { appToken, apiUrl, log } = options;
  const receiver = new SocketModeReceiver({
    appToken,
    logger: quietLogger(log),
    installerOptions: { clientOptions: clientOptions(apiUrl, log) },
    autoReconnectEnabled: false,
    // What failed is not acknowledged, also where Bolt takes it for somebody's who is not there.
    processEventErrorHandler: async () => false,
  });
  const { client } = receiver;
  const stopping = new AbortController();
  let isConnected = false;
  let isStarted = false;
  let isConnecting = false;

  client.on('connected', () => {
    isConnected = true;
  });
  client.on('disconnected', () => {
    isConnected = false;
    if (isStarted && !isConnecting) void connectAgain();
  });

  async function connectAgain(): Promise<void> {
    isConnecting = true;
    for (let failures = 0; !isConnected && !stopping.signal.aborted; failures++) {
      const pause = pausesMs[Math.min(failures, pausesMs.length - 1)];
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) break;
      await client.start().then(
        () => log.info({ failures }, 'slack is heard again'),
        (error: unknown) => log.warn({ err: error, failures }, 'slack is not heard: no connection'),
      );
    }
    isConnecting = false;
    // It was under way when it was told to stop.
    if (isConnected && stopping.signal.aborted) await client.disconnect();
  }

  return {
    receiver,
    async start() {
      await receiver.start();
      isStarted = true;
      // Lost in between, when nobody was there to hear of it.
      if (!isConnected && !isConnecting) void connectAgain();
    },
    async stop() {
      stopping.abort();
      // Bolt does not wait until the socket has closed.
      const closed = new Promise<void>((resolve) => {
        client.once('disconnected', () => resolve());
        setTimeout(resolve, 3_000).unref();
      });
      await receiver.stop();
      await closed;
    },
    isConnected: () => isConnected,
  };
}
