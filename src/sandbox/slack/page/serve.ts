import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf } from '../../node-http.ts';
import { type Answer, htmlAnswer, jsonAnswer, readBody, send, textAnswer } from '../http.ts';
import type { Json } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { type Actor, pageActions } from './actions.ts';
import { assetAnswer } from './assets.ts';
import { fileAnswer, receiveFile } from './files.ts';
import { refreshPages, streamState } from './live.ts';
import { isPlayable } from './members.ts';
import type { OutsideWorld } from './outside.ts';
import { pageHtml } from './shell.ts';

export interface PageHost {
  world: World;
  outside: OutsideWorld | undefined;
  /** The folder of the compiled scripts, if it isn't the usual one. */
  scripts: string | undefined;
}

export function isPagePath(path: string): boolean {
  return path === '/' || path.startsWith('/page/') || path.startsWith('/-/page/');
}

/**
 * The workspace in a browser: the page at `/`, its assets under `/page/`, and under `/-/page/<person>/` its state
 * (`live`), the files (`files/<id>`) and all actions. `/-/page/outside` runs a simulation that was chosen in the panel
 * “Outside Slack”.
 */
export async function servePage(
  host: PageHost,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  const [, , , id = '', action = '', detail = ''] = path.split('/');
  const actor = actorOf(host, id);
  if (request.method === 'GET' && actor && action === 'live') return streamState(actor, response);
  const answer = await answerTo(host, request, { path, query, actor, action, detail });
  if (request.method === 'POST') refreshPages(host.world);
  await send(response, answer);
}

interface PageRequest {
  path: string;
  query: string;
  actor: Actor | undefined;
  action: string;
  detail: string;
}

async function answerTo(
  { world, outside, scripts }: PageHost,
  request: IncomingMessage,
  { path, query, actor, action, detail }: PageRequest,
): Promise<Answer> {
  if (request.method === 'GET') {
    if (path === '/') return withSecurityHeaders(htmlAnswer(200, pageHtml(world)));
    if (path.startsWith('/page/')) return withSecurityHeaders(await assetAnswer(path.slice('/page/'.length), scripts));
    return (actor && action === 'files' && fileAnswer(actor, detail)) || textAnswer(404, 'not found');
  }
  try {
    if (path === '/-/page/outside') return done(await outside?.simulate(await readBody(request)));
    if (!actor || request.method !== 'POST') return jsonAnswer(404, { error: 'unknown person' });
    if (action === 'files')
      return done(await receiveFile(actor, new URLSearchParams(query).get('name') ?? '', bodyOf(request)));
    const perform = Object.hasOwn(pageActions, action) ? pageActions[action] : undefined;
    if (!perform) return jsonAnswer(404, { error: `unknown action "${action}"` });
    return done(await perform(actor, JSON.parse(await readBody(request)) as Json));
  } catch (error) {
    return jsonAnswer(409, { error: error instanceof Error ? error.message : String(error) });
  }
}

function done(result: unknown): Answer {
  return jsonAnswer(200, { result });
}

function actorOf({ world, outside }: PageHost, id: string): Actor | undefined {
  for (const team of world.teams.values()) {
    const user = team.users.get(id);
    if (user && isPlayable(user)) return { world, outside, team, user };
  }
  return undefined;
}

const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

function withSecurityHeaders(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, ...securityHeaders } };
}
