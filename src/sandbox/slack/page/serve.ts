import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, bodyOf, htmlAnswer, jsonAnswer, readBody, send, textAnswer } from '../http.ts';
import type { Json } from '../model.ts';
import type { World } from '../world.ts';
import { type Actor, pageActs } from './acts.ts';
import { assetAnswer } from './assets.ts';
import { fileAnswer, takeFile } from './files.ts';
import { lookAgain, showLive } from './live.ts';
import { canBePlayed } from './members.ts';
import { pageHtml } from './shell.ts';

export function isPagePath(path: string): boolean {
  return path === '/' || path.startsWith('/page/') || path.startsWith('/-/page/');
}

/**
 * The workspace in a browser: the page at `/`, its assets under `/page/`, and under `/-/page/<person>/` its state
 * (`live`), the files (`files/<id>`) and all actions.
 */
export async function servePage(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  if (!isFromHere(request)) return send(response, textAnswer(403, 'only from this machine, and from this page'));
  const [, , , id = '', act = '', detail = ''] = path.split('/');
  const actor = actorOf(world, id);
  if (request.method === 'GET' && actor && act === 'live') return showLive(actor, response);
  const answer = await answerTo(world, request, { path, query, actor, act, detail });
  if (request.method === 'POST') lookAgain(world);
  await send(response, answer);
}

interface Asked {
  path: string;
  query: string;
  actor: Actor | undefined;
  act: string;
  detail: string;
}

async function answerTo(
  world: World,
  request: IncomingMessage,
  { path, query, actor, act, detail }: Asked,
): Promise<Answer> {
  if (request.method === 'GET') {
    if (path === '/') return withRules(htmlAnswer(200, pageHtml(world)));
    if (path.startsWith('/page/')) return withRules(await assetAnswer(world, path.slice('/page/'.length)));
    return (actor && act === 'files' && fileAnswer(actor, detail)) || textAnswer(404, 'not found');
  }
  try {
    if (path === '/-/page/outside') return done(await world.outside?.act(await readBody(request)));
    if (!actor || request.method !== 'POST') return jsonAnswer(404, { error: 'there is nobody here' });
    if (act === 'files')
      return done(await takeFile(actor, new URLSearchParams(query).get('name') ?? '', bodyOf(request)));
    const perform = Object.hasOwn(pageActs, act) ? pageActs[act] : undefined;
    if (!perform) return jsonAnswer(404, { error: `nobody can do "${act}"` });
    return done(await perform(actor, JSON.parse(await readBody(request)) as Json));
  } catch (error) {
    return jsonAnswer(409, { error: error instanceof Error ? error.message : String(error) });
  }
}

function done(result: unknown): Answer {
  return jsonAnswer(200, { result });
}

function actorOf(world: World, id: string): Actor | undefined {
  for (const team of world.teams.values()) {
    const user = team.users.get(id);
    if (user && canBePlayed(world, user)) return { world, team, user };
  }
  return undefined;
}

/** Another site can send requests here, or point its host name at this machine; the headers reveal both. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'] ?? 'none';
  const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
  return isLoopback && (site === 'none' || site === 'same-origin');
}

const rules = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

function withRules(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, ...rules } };
}
