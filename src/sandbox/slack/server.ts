import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { Aborted, listen } from '../node-http.ts';
import { createFileStore } from './api/file-store.ts';
import { createSocketHub } from './delivery/socket-hub.ts';
import { jsonAnswer, send, trackSockets } from './http.ts';
import { serve } from './serve.ts';
import { slackBehaviour } from './state/behaviour.ts';
import { createFaults } from './state/faults.ts';
import { createTimestamps } from './state/ids.ts';
import { checkManifest } from './state/manifest.ts';
import type { World } from './state/world.ts';
import type { SlackServer, SlackServerOptions } from './types.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export async function startSlackServer(options: SlackServerOptions): Promise<SlackServer> {
  const {
    app,
    host = '127.0.0.1',
    port = 0,
    clock = () => Date.now(),
    rateLimits = slackBehaviour.rateLimits,
  } = options;
  checkManifest(app.manifest);
  const files = createFileStore(options.filesDir);
  const behaviour = { ...slackBehaviour, rateLimits, ...options.behaviour };
  const sockets = createSocketHub(behaviour);
  const world: World = {
    app,
    behaviour,
    clock,
    nextTs: createTimestamps(clock),
    origin: '',
    botOrigin: undefined,
    teams: new Map(),
    revokedTokens: new Map(),
    triggers: new Map(),
    responseUrls: new Map(),
    tickets: new Map(),
    grants: new Map(),
    calls: [],
    deliveries: [],
    faults: createFaults(),
    files,
    sockets,
    inFlight: new Set(),
    timers: new Set(),
    rates: new Map(),
    closed: new AbortController(),
  };
  const initial = { ...world.behaviour };
  const workspaces: Workspace[] = [];
  const served = { world, workspaces, outside: options.outside, scripts: options.pageScripts };

  function listener(request: IncomingMessage, response: ServerResponse): void {
    // Without a listener, writing to a disconnected client would end the process.
    response.on('error', () => {});
    serve(served, request, response).catch((error: unknown) => answerInternalError(response, error));
  }

  const server = http.createServer(listener);
  // No timers: only the client, a fault or close() ends a connection.
  Object.assign(server, { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 });
  server.on('upgrade', (request, stream, head) => sockets.upgrade(request, stream, head, app.id));
  const destroySockets = trackSockets(server);
  world.origin = `http://${await listen(server, host, port)}`;

  async function untilIdle(): Promise<void> {
    while (world.inFlight.size > 0) await Promise.allSettled(world.inFlight);
  }

  async function stop(): Promise<void> {
    world.closed.abort(new Error('the server is closed'));
    for (const timer of world.timers) clearTimeout(timer);
    world.faults.releaseAll();
    sockets.close();
    await untilIdle();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await destroySockets();
    await closed;
    await files.close();
  }

  let stopping: Promise<void> | undefined;
  return {
    url: world.origin,
    apiUrl: `${world.origin}/api/`,
    authorizeUrl: `${world.origin}/oauth/v2/authorize`,
    behaviour: world.behaviour,
    calls: world.calls,
    deliveries: world.deliveries,
    addFault: (fault) => world.faults.add(fault),
    addWorkspace(workspace = {}) {
      const handle = createWorkspace(world, workspace);
      workspaces.push(handle);
      return handle;
    },
    workspaces: () => [...workspaces],
    deliverTo(origin) {
      world.botOrigin = new URL(origin).origin;
    },
    closeSockets: () => sockets.close(),
    refreshSockets: (reason, howMany = 1) => sockets.refresh(reason, howMany),
    countSockets: () => sockets.count(),
    untilIdle,
    reset() {
      world.faults.clear();
      world.calls.length = 0;
      world.deliveries.length = 0;
      Object.assign(world.behaviour, initial);
    },
    close() {
      stopping ??= stop();
      return stopping;
    },
  };
}

function answerInternalError(response: ServerResponse, error: unknown): void {
  if (error instanceof Aborted || response.headersSent) {
    response.destroy();
    return;
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  send(response, jsonAnswer(500, { ok: false, error: 'internal_error', message })).catch(() => response.destroy());
}
