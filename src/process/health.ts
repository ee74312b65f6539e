import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { z } from 'zod';
import type { SlackApp } from '../app.ts';
import type { Role } from '../config.ts';
import { pausesIn } from '../features/pause/repository.ts';
import { transfersIn } from '../features/transfers/repository.ts';
import type { Runner } from '../jobs/index.ts';
import { bounds } from '../lib/bounds.ts';
import { createCache } from '../lib/cache.ts';
import type { GaugeValue } from '../lib/metrics.ts';
import type { OpenedServices } from '../services.ts';

export interface HttpServer {
  port: number;
  /** Stops accepting connections. Requests in progress can finish within `graceMs` (1 second by default). */
  close(graceMs?: number): Promise<void>;
}

/** Whether the process can work: the database answers, its worker (if any) is up, and in Socket Mode a connection is open. */
export interface Readiness {
  isReady: boolean;
  /** `slack`: how many Socket Mode connections are open. */
  parts: { database: boolean; worker: boolean | undefined; slack: number | undefined };
}

export function createReadiness(
  { store }: Pick<OpenedServices, 'store'>,
  runner: Runner | undefined,
  socket: { openConnections(): number | undefined } | undefined,
): () => Promise<Readiness> {
  // Anyone can call this as often as they like, so the answer is cached.
  const pings = createCache<boolean>({ ttlMs: 1_000, maxEntries: 1 });
  const ping = async () => (await answerOf(store.ping().then(() => true))) ?? false;
  return async () => {
    const database = await pings.get('database', ping);
    const worker = runner?.isUp();
    const slack = socket?.openConnections();
    return { isReady: database && worker !== false && slack !== 0, parts: { database, worker, slack } };
  };
}

/** `/healthz`: the process is alive. `/readyz`: the process can work. */
export function healthRoutes(readiness: () => Promise<Readiness>): RequestListener {
  return async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
    const [path] = (request.url ?? '').split('?');
    if (path === '/healthz') return void answer(200, { alive: true });
    if (path !== '/readyz') return void answer(404, { error: 'there is nothing here' });
    const { isReady, parts } = await readiness();
    answer(isReady ? 200 : 503, parts);
  };
}

/**
 * `/metrics` in the Prometheus text format, and `/healthz`.
 *
 * @param slack undefined if this process doesn't serve Slack
 */
export function metricsRoutes(
  services: MeasuredServices,
  role: Role,
  runner: Runner | undefined,
  slack: Pick<SlackApp, 'openConnections'> | undefined,
): RequestListener {
  const readiness = createReadiness(services, runner, slack);
  return async (request, response) => {
    if (request.url === '/metrics') {
      const { metrics } = services;
      // At the same time, because each waits for a database that doesn't answer.
      const read = await Promise.all([readinessGauges(readiness), databaseGauges(services)]);
      const text = await metrics.render([
        ...gauge('dropline_build_info', 1, { version, role }),
        ...connectionGauges(services.store.pool),
        ...read.flat(),
      ]);
      response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
    } else if (request.url === '/healthz') response.writeHead(200).end('alive\n');
    else response.writeHead(404).end();
  };
}

type MeasuredServices = Pick<OpenedServices, 'metrics' | 'store' | 'queue'>;

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));

/** A gauge without a value is omitted. */
const gauge = (name: GaugeValue['name'], value: number | undefined, labels: Record<string, string> = {}) =>
  value === undefined ? [] : [{ name, value, labels }];

async function readinessGauges(readiness: () => Promise<Readiness>): Promise<GaugeValue[]> {
  const { parts } = await readiness();
  return [
    ...Object.entries(parts).flatMap(([part, value]) =>
      gauge('dropline_ready', value === undefined ? undefined : Math.min(Number(value), 1), { part }),
    ),
    ...gauge('dropline_slack_connections', parts.slack),
  ];
}

const connectionGauges = ({ totalCount, idleCount, waitingCount }: pg.Pool): GaugeValue[] => [
  ...gauge('dropline_database_connections', totalCount - idleCount, { state: 'used' }),
  ...gauge('dropline_database_connections', idleCount, { state: 'idle' }),
  ...gauge('dropline_database_waiting', waitingCount),
];

/** What the database knows about all processes and workspaces. Omitted while it doesn't answer. */
async function databaseGauges({ store, queue }: MeasuredServices): Promise<GaugeValue[]> {
  const [waiting, paused = {}, states] = await Promise.all([
    answerOf(transfersIn(store).countWaitingForApproval()),
    answerOf(pausesIn(store).count()),
    answerOf(queue.states()),
  ]);
  return [
    ...gauge('dropline_approvals_waiting', waiting),
    ...Object.entries<number>(paused).flatMap(([target, count]) =>
      gauge('dropline_paused_workspaces', count, { target }),
    ),
    ...(states ?? []).flatMap(({ state, jobs }) => gauge('dropline_queue_jobs', jobs, { state })),
    ...gauge('dropline_queue_oldest_seconds', states?.find(({ state }) => state === 'waiting')?.seconds),
  ];
}

/** Undefined if the database fails or doesn't answer in two seconds. */
const answerOf = <T>(query: Promise<T>): Promise<T | undefined> =>
  Promise.race([query.catch(() => undefined), sleep(2_000, undefined, { ref: false })]);

/** How long a request can take to arrive. Handling and answering it can take longer. */
export interface RequestTimeouts {
  headMs: number;
  requestMs: number;
  /** How often these timeouts are checked. */
  checkMs: number;
}

/** Enough for Slack, which sends a request in one piece, and for the short forms of browsers. */
const defaultTimeouts: RequestTimeouts = { headMs: bounds.requestHeadMs, requestMs: bounds.requestMs, checkMs: 2_000 };

export function listen(
  listener: RequestListener,
  port: number,
  host: string,
  { headMs, requestMs, checkMs }: RequestTimeouts = defaultTimeouts,
): Promise<HttpServer> {
  const limits = { headersTimeout: headMs, requestTimeout: requestMs, connectionsCheckingInterval: checkMs };
  const server = createServer(limits, listener);
  const close = createClose(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve({ port: (server.address() as AddressInfo).port, close }));
  });
}

/** On close, clients that haven't sent a complete request are disconnected after this time. */
const incompleteRequestMs = 1_000;

function createClose(server: Server): HttpServer['close'] {
  const sockets = new Set<Socket>();
  const requests = new Map<Socket, IncomingMessage>();
  let isClosing = false;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.prependListener('request', (request, response) => {
    const { socket } = request;
    requests.set(socket, request);
    // A keep-alive connection gets one last answer.
    if (isClosing) response.shouldKeepAlive = false;
    response.once('close', () => {
      if (requests.get(socket) === request) requests.delete(socket);
      if (isClosing) socket.destroySoon();
    });
  });
  return (graceMs = incompleteRequestMs) =>
    new Promise((resolve) => {
      isClosing = true;
      const timers = [
        setTimeout(() => {
          for (const socket of sockets) if (requests.get(socket)?.complete !== true) socket.destroy();
        }, incompleteRequestMs),
        setTimeout(() => server.closeAllConnections(), graceMs),
      ];
      server.close(() => {
        for (const timer of timers) clearTimeout(timer);
        resolve();
      });
    });
}
