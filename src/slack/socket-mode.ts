import { setTimeout as sleep } from 'node:timers/promises';
import type { App, ReceiverEvent } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import type { Log } from '../lib/log.ts';
import { clientOptions } from './clients.ts';
import { quietLogger } from './log.ts';
import { retryAfterMs } from './platform-errors.ts';

export interface SocketModeOptions {
  appToken: string;
  apiUrl: string | undefined;
  /** The pause between two connections, unless none is open: Slack allows about one new connection a minute. */
  pauseMs: number;
  log: Log;
}

/** Slack sends each event over any one of them, so while one is lost or renewed, the other one gets everything. */
const connectionCount = 2;

/** Delays before a lost connection is replaced. The last repeats. */
const pausesMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000];

/** Slack greets a new connection at once. Without a limit, no other one would be opened until it does. */
const greetingMs = 20_000;

/** Slack ignores answers after three seconds. */
const answerMs = 3_000;

/** One connection, which isn't reopened. Emits `leaving` when Slack is about to close it. */
class Connection extends SocketModeClient {
  isLeaving = false;

  // The SDK would close the connection at once. Answers that are still due would be lost.
  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    if (isDisconnect(data)) this.emit('leaving');
    else await super.onWebSocketMessage(data, isBinary);
  }
}

function isDisconnect(data: string | ArrayBuffer): boolean {
  try {
    return JSON.parse(String(data))?.type === 'disconnect';
  } catch {
    return false;
  }
}

/**
 * Keeps two Socket Mode connections open, however long Slack is unreachable. The SDK's own reconnect closes a connection
 * before it opens the next, and gives up with an unhandled rejection, which would end the process.
 */
export function createSocketMode({ appToken, apiUrl, pauseMs, log }: SocketModeOptions) {
  const connections = new Set<Connection>();
  const lasting = () => [...connections].filter(({ isLeaving }) => !isLeaving).length;
  const stopping = new AbortController();
  let app: App | undefined;
  let openedAt = 0;
  let wake = new AbortController();
  // Until `start` has opened the first connection, which isn't retried.
  let isFilling = true;

  async function open(): Promise<void> {
    openedAt = Date.now();
    const connection = new Connection({
      appToken,
      logger: quietLogger(log),
      clientOptions: { ...clientOptions(apiUrl, log), rejectRateLimitedCalls: true },
      autoReconnectEnabled: false,
      // With the default of 5 s, a slow moment of Slack closes the connection.
      clientPingTimeout: 20_000,
    });
    let greeting: NodeJS.Timeout | undefined;
    connection.on('connecting', () => {
      greeting = setTimeout(() => void connection.disconnect(), greetingMs).unref();
    });
    connection.on('connected', () => {
      clearTimeout(greeting);
      connections.add(connection);
      closeLeaving();
    });
    connection.on('leaving', () => {
      connection.isLeaving = true;
      closeLeaving();
      refill();
    });
    connection.on('disconnected', () => {
      clearTimeout(greeting);
      connections.delete(connection);
      refill();
    });
    connection.on('slack_event', ({ body, ack }: ReceiverEvent) => {
      // A failed event, which Bolt has logged, is never acknowledged: Slack sends it again.
      app?.processEvent({ body, ack }).catch(() => {});
    });
    try {
      await connection.start();
    } catch (error) {
      const waitMs = retryAfterMs(error);
      if (waitMs === undefined) throw error;
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {
        throw error;
      });
      return open();
    }
    if (stopping.signal.aborted) await connection.disconnect();
  }

  /** Opens what is missing, one connection after the other. */
  async function fill(): Promise<void> {
    isFilling = true;
    for (let failures = 0; lasting() < connectionCount && !stopping.signal.aborted; ) {
      wake = new AbortController();
      const soonMs = pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0;
      const waitMs = lasting() === 0 ? soonMs : Math.max(soonMs, openedAt + pauseMs - Date.now());
      // Woken when a connection is lost: the next one is more urgent then.
      if (!(await sleep(waitMs, true, { signal: wake.signal }).catch(() => false))) continue;
      try {
        await open();
        failures = 0;
      } catch (error) {
        failures++;
        if (!stopping.signal.aborted)
          log.warn({ err: error, failures, connections: connections.size }, 'slack connection not opened');
      }
    }
    isFilling = false;
  }

  function refill(): void {
    wake.abort();
    if (!isFilling) void fill();
  }

  /** Closes what Slack wants to renew, once another connection is open and the last answers are sent. */
  function closeLeaving(): void {
    if (lasting() === 0) return;
    for (const connection of connections)
      if (connection.isLeaving) setTimeout(() => void connection.disconnect(), answerMs).unref();
  }

  return {
    init(slackApp: App): void {
      app = slackApp;
    },
    /** Opens the first connection, or rejects. The others, and those that are lost later, are opened automatically. */
    async start(): Promise<void> {
      await open();
      void fill();
    },
    async stop(): Promise<void> {
      stopping.abort();
      wake.abort();
      const closed = Promise.all([...connections].map((connection) => connection.disconnect()));
      await Promise.race([closed, sleep(3_000, undefined, { ref: false })]);
    },
    openConnections: () => connections.size,
  };
}
