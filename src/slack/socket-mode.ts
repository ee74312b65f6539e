import { setTimeout as sleep } from 'node:timers/promises';
import { SocketModeReceiver } from '@slack/bolt';
import { clientOptions } from './clients.ts';
import { quietLogger, type SlackLog } from './log.ts';

export interface SocketMode {
  receiver: SocketModeReceiver;
  /** Connects, or rejects. If the connection is lost later, it is reopened automatically. */
  start(): Promise<void>;
  stop(): Promise<void>;
  isConnected(): boolean;
}

/** Reconnect delays. The first is short, because Slack closes every connection after some hours. The last repeats. */
const pausesMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000];

/**
 * Opens the Socket Mode connection, and reopens it whenever it is lost, however long Slack is unreachable. The SDK's
 * own reconnect gives up with an unhandled rejection, which would end the process.
 */
export function createSocketMode(options: { appToken: string; apiUrl: string | undefined; log: SlackLog }): SocketMode {
  const { appToken, apiUrl, log } = options;
  const receiver = new SocketModeReceiver({
    appToken,
    logger: quietLogger(log),
    installerOptions: { clientOptions: clientOptions(apiUrl, log) },
    autoReconnectEnabled: false,
    // Never acknowledge a failed event, not even one that Bolt attributes to a missing installation.
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
    if (isStarted && !isConnecting) void reconnect();
  });

  async function reconnect(): Promise<void> {
    isConnecting = true;
    for (let failures = 0; !isConnected && !stopping.signal.aborted; failures++) {
      const pause = pausesMs[Math.min(failures, pausesMs.length - 1)];
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) break;
      await client.start().then(
        () => log.info({ failures }, 'reconnected to slack'),
        (error: unknown) => log.warn({ err: error, failures }, 'no connection to slack'),
      );
    }
    isConnecting = false;
    // `stop` was called while the client was connecting.
    if (isConnected && stopping.signal.aborted) await client.disconnect();
  }

  return {
    receiver,
    async start() {
      await receiver.start();
      isStarted = true;
      // If the connection was lost before `isStarted` was set, the listener above has ignored that.
      if (!isConnected && !isConnecting) void reconnect();
    },
    async stop() {
      stopping.abort();
      // Bolt doesn't wait until the socket has closed.
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
