import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { Aborted, bodyOf, isLocalRequest, listen } from '../../node-http.ts';
import { Connections } from '../http/connections.ts';
import { readJson } from '../http/request-body.ts';
import { parseTarget } from '../http/target.ts';
import { adminPage } from '../pages/admin-page.ts';
import { pageHeaders } from '../pages/layout.ts';
import type { Account, NewInboxItem } from '../state/model.ts';
import { Refusal } from '../state/refusal.ts';
import { isContact, isObject } from '../state/shapes.ts';
import { addAccount, type NewAccount, type World } from '../state/world.ts';
import { seedInbox } from './inbox.ts';

interface Reply {
  status?: number;
  html?: string;
  json?: unknown;
}

/** Lets the person who runs the sandbox view and extend its state. On the loopback interface only. */
export async function startAdmin(world: World, port: number): Promise<{ url: string; close(): Promise<void> }> {
  const server = http.createServer((request, response) => {
    response.on('error', () => {});
    answer(world, request).then(
      (reply) => write(response, reply),
      (error: unknown) => {
        request.resume();
        if (error instanceof Aborted) return;
        const status = error instanceof Refusal ? error.status : 400;
        write(response, { status, json: { error: error instanceof Error ? error.message : String(error) } });
      },
    );
  });
  const connections = new Connections(server);
  const address = await listen(server, '127.0.0.1', port);
  return {
    url: `http://${address}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await connections.destroyAll();
      await closed;
    },
  };
}

async function answer(world: World, request: IncomingMessage): Promise<Reply> {
  if (!isLocalRequest(request)) throw new Refusal(403, 'only from this machine, and from this page');
  const { segments } = parseTarget(request.url ?? '');
  const [first, user, last] = segments;
  switch (`${request.method} /${first}${segments.length > 1 ? '/*' : ''}${segments.length > 2 ? `/${last}` : ''}`) {
    case 'GET /':
      return { html: adminPage({ accounts: [...world.accounts.values()], outbox: world.outbox }).text };
    case 'GET /outbox':
      return { json: world.outbox };
    case 'GET /calls':
      return { json: world.calls };
    case 'GET /state/*':
      return { json: existing(world, user) };
    case 'POST /accounts':
      return { status: 201, json: addAccount(world, newAccount(await body(request))) };
    case 'POST /accounts/*/inbox':
      return { status: 201, json: await seedInbox(world, existing(world, user), newItem(await body(request))) };
    default:
      throw new Refusal(404, 'there is nothing here');
  }
}

function existing(world: World, user = ''): Account {
  const account = world.accounts.get(user);
  if (!account) throw new Refusal(404, `there is no account ${user}`);
  return account;
}

/**
 * `readJson` requires the content type application/json. A page of another origin needs a CORS preflight to send it, and
 * this server never grants one.
 */
function body(request: IncomingMessage): Promise<unknown> {
  return readJson(bodyOf(request), request.headers['content-type']);
}

function newAccount(value: unknown): NewAccount {
  if (!isObject(value)) throw new Refusal(400, 'the body must be an object');
  const { user, apiKey, number = '46700000000', global = [] } = value;
  if (typeof user !== 'string' || typeof apiKey !== 'string' || typeof number !== 'string') {
    throw new Refusal(400, '"user" and "apiKey" must be strings, and so "number" if there is one');
  }
  if (!Array.isArray(global) || !global.every(isContact)) throw new Refusal(400, '"global" must be a list of contacts');
  return { user, apiKey, number, global };
}

function newItem(value: unknown): NewInboxItem {
  const expected = 'expected is { sender, files: [{ name, data: base64 }], ttl? }';
  if (!isObject(value) || typeof value.sender !== 'string' || !Array.isArray(value.files))
    throw new Refusal(400, expected);
  const files = value.files.map((file: unknown) => {
    if (!isObject(file) || typeof file.name !== 'string' || typeof file.data !== 'string')
      throw new Refusal(400, expected);
    return { name: file.name, data: Buffer.from(file.data, 'base64') };
  });
  return { sender: value.sender, files, ...(typeof value.ttl === 'number' && { ttl: value.ttl }) };
}

function write(response: ServerResponse, { status = 200, html, json }: Reply): void {
  const type = html === undefined ? 'application/json' : 'text/html';
  response.writeHead(status, { ...pageHeaders, 'Content-Type': `${type}; charset=utf-8` });
  response.end(html ?? JSON.stringify(json));
}
