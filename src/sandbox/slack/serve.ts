import type { IncomingMessage, ServerResponse } from 'node:http';
import { Aborted, bodyOf, isLocalRequest } from '../node-http.ts';
import { applyFault, type Outcome, type Steps } from './api/apply-fault.ts';
import { parseArguments } from './api/arguments.ts';
import { decideConsent, showConsent } from './api/authorize/consent.ts';
import { loginPage } from './api/authorize/pages.ts';
import { decideSignIn, showSignIn } from './api/authorize/sign-in.ts';
import { downloadAnswer, parseFilePath } from './api/download.ts';
import { processCall } from './api/process.ts';
import { respond } from './api/response-url.ts';
import { receiveUpload } from './api/upload.ts';
import { htmlAnswer, readBody, send, textAnswer } from './http.ts';
import { isPagePath, type PageHost, servePage } from './page/serve.ts';
import { servePeopleApi } from './person/people-api.ts';
import type { Json } from './state/model.ts';
import type { World } from './state/world.ts';
import type { Workspace } from './workspace.ts';

export interface Served extends PageHost {
  workspaces: readonly Workspace[];
}

export async function serve(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { world, workspaces } = served;
  const url = request.url ?? '/';
  const queryStart = url.indexOf('?');
  const path = queryStart < 0 ? url : url.slice(0, queryStart);
  const query = queryStart < 0 ? '' : url.slice(queryStart + 1);
  const method = methodFor(path);
  if (method !== undefined) {
    await serveCall(world, request, response, method, () => outcomeOf(world, request, method, path, query));
  } else if (path === '/oauth/v2/authorize') {
    const posted = request.method === 'POST';
    await send(response, posted ? decideConsent(world, query, await readBody(request)) : showConsent(world, query));
  } else if (path === '/openid/connect/authorize') {
    const posted = request.method === 'POST';
    await send(response, posted ? decideSignIn(world, query, await readBody(request)) : showSignIn(world, query));
  } else if (path === '/' && new URLSearchParams(query).has('redir')) {
    await send(response, htmlAnswer(200, loginPage()));
  } else if ((isPagePath(path) || path.startsWith('/-/')) && !isLocalRequest(request)) {
    request.resume();
    await send(response, textAnswer(403, 'only from this machine, and from this page'));
  } else if (isPagePath(path)) {
    await servePage(served, request, response, path, query);
  } else if (path.startsWith('/-/')) {
    await send(response, await servePeopleApi(workspaces, request.method ?? '', path, await readBody(request)));
  } else {
    request.resume();
    await send(response, textAnswer(404, 'not found'));
  }
}

/** The name under which a call by the bot is logged and faults are applied; undefined for all other requests. */
function methodFor(path: string): string | undefined {
  if (path.startsWith('/api/')) return path.slice('/api/'.length);
  if (path.startsWith('/upload/v1/')) return 'upload';
  if (/^\/files-(pri|origin|edge)\//.test(path)) return 'download';
  return /^\/(commands|actions|app)\//.test(path) ? 'response_url' : undefined;
}

async function outcomeOf(
  world: World,
  request: IncomingMessage,
  method: string,
  path: string,
  query: string,
): Promise<Outcome> {
  const { headers } = request;
  switch (method) {
    case 'upload': {
      const { answer, ticket } = await receiveUpload(world, path.split('/').at(-1) ?? '', headers, bodyOf(request));
      const error = answer.status === 200 ? undefined : String(answer.body);
      return { answer, team: ticket?.teamId, error, arguments: { file: ticket?.fileId } };
    }
    case 'download': {
      const answer = downloadAnswer(world, path, headers);
      const { host, teamId: team, fileId: file } = parseFilePath(path);
      return { answer, team, error: answer.status === 200 ? undefined : 'acl_fail', arguments: { file, host } };
    }
    case 'response_url': {
      const { body, ...outcome } = respond(world, path, await readBody(request));
      return { ...outcome, arguments: body };
    }
    default: {
      const body = await readBody(request);
      let args: Json = {};
      const processed = await processCall(world, method, headers, () => {
        args = parseArguments(headers, query, body);
        return args;
      });
      const { token: _, ...loggedArguments } = args;
      return { ...processed, arguments: loggedArguments };
    }
  }
}

async function serveCall(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  method: string,
  process: () => Promise<Outcome>,
): Promise<void> {
  const at = world.clock();
  const fault = world.faults.takeCall(method);
  const log: Steps['log'] = (outcome, status, error = outcome?.error) => {
    world.calls.push({
      method,
      team: outcome?.team,
      at,
      arguments: outcome?.arguments ?? {},
      ok: status === 200 && error === undefined,
      error,
      status,
      outcome: fault ? 'fault' : 'answered',
    });
  };
  const answer = async () => {
    const outcome = await process();
    log(outcome, outcome.answer.status);
    await send(response, outcome.answer);
  };
  try {
    if (fault) await applyFault(request, response, fault, { process, log, answer });
    else await answer();
  } catch (error) {
    if (error instanceof Aborted) log(undefined, 0, 'aborted');
    throw error;
  }
}
