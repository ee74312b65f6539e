import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { listen } from '../node-http.ts';
import { applyFault } from './api/apply-fault.ts';
import { ApiCall, type Target } from './api/call.ts';
import { refusalAnswer } from './api/refusal-answer.ts';
import { findOperation } from './api/routes.ts';
import { openFileStore } from './blob-storage.ts';
import { send } from './http/answer.ts';
import { Connections } from './http/connections.ts';
import { parseTarget } from './http/target.ts';
import { defaultBehaviour } from './state/behaviour.ts';
import { Faults } from './state/faults.ts';
import { Refusal } from './state/refusal.ts';
import { addAccount, getAccount, type World } from './state/world.ts';
import type { ExchangeServer, ExchangeServerOptions } from './types.ts';
import { startAdmin } from './web/admin.ts';
import { seedInbox } from './web/inbox.ts';
import { isPagePath, servePage } from './web/serve.ts';

export async function startExchangeServer(options: ExchangeServerOptions = {}): Promise<ExchangeServer> {
  const { host = '127.0.0.1', port = 0, tls, clock = () => Date.now() } = options;
  const base = (options.basePath ?? '').split('/').filter((segment) => segment !== '');
  const world: World = {
    behaviour: { ...defaultBehaviour, ...options.behaviour },
    clock,
    accounts: new Map(),
    outbox: [],
    calls: [],
    files: await openFileStore(options.filesDir),
    pages: new Map(),
    origin: '',
  };
  const faults = new Faults();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { segments, query } = parseTarget(request.url ?? '');
    if (isPagePath(segments)) return servePage(world, request, response, segments);
    const [user, ...path] = segments.slice(base.length);
    if (user === undefined || base.some((segment, index) => segment !== segments[index])) {
      throw new Refusal(404, 'there is nothing here');
    }
    const target: Target = { user, path, query, operation: findOperation(path) };
    const call = new ApiCall(world, connections, { request, response, target });
    const fault = target.operation && faults.take(target.operation);
    try {
      await call.unlessAborted(async () => {
        await call.delay();
        if (fault) await applyFault(call, fault);
        else await call.deliver(await call.process(call.body));
      });
    } finally {
      fault?.markApplied();
    }
  }

  function listener(request: IncomingMessage, response: ServerResponse): void {
    // Without a listener, writing to a disconnected client would end the process.
    response.on('error', () => {});
    serve(request, response).catch((error: unknown) => fail(world, request, response, error));
  }

  const server = tls ? https.createServer(tls, listener) : http.createServer(listener);
  // No timers: only the client, a fault or close() ends a connection.
  Object.assign(server, { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 });
  const connections = new Connections(server);
  const suspend = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await connections.destroyAll();
    await closed;
  };
  const stop = async () => {
    await suspend();
    await world.files.close();
  };

  let admin: Awaited<ReturnType<typeof startAdmin>> | undefined;
  try {
    world.origin = `${tls ? 'https' : 'http'}://${await listen(server, host, port)}`;
    if (options.adminPort !== undefined) admin = await startAdmin(world, options.adminPort);
  } catch (error) {
    await stop();
    throw error;
  }

  let closing: Promise<unknown> | undefined;
  return {
    url: [world.origin, ...base].join('/'),
    adminUrl: admin?.url,
    behaviour: world.behaviour,
    calls: world.calls,
    outbox: world.outbox,
    addAccount: (account) => addAccount(world, account),
    account: (user) => getAccount(world, user),
    addInboxItem: async (user, item) => seedInbox(world, getAccount(world, user), item),
    readFile: (sha256) => world.files.read(sha256),
    addFault: (fault) => faults.add(fault),
    suspend,
    resume: async () => void (await listen(server, host, Number(new URL(world.origin).port))),
    isSuspended: () => !server.listening,
    connections: () => connections.count(),
    async close() {
      closing ??= Promise.all([admin?.close(), stop()]);
      await closing;
    },
  };
}

function fail(world: World, request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const unexpected = () => new Refusal(500, `unexpected: ${error instanceof Error ? error.message : String(error)}`);
  request.resume();
  const refusal = error instanceof Refusal ? error : unexpected();
  send(response, refusalAnswer(refusal, world.behaviour)).catch(() => response.destroy());
}
