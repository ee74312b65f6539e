import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseArguments } from './api/arguments.ts';
import { processCall } from './api/process.ts';
import { respond } from './delivery/response-url.ts';
import { drive } from './drive.ts';
import type { Strike } from './faults.ts';
import { downloadAnswer } from './files/download.ts';
import { receiveUpload } from './files/upload.ts';
import { type Answer, bodyOf, htmlAnswer, jsonAnswer, readBody, send, sendHalf, textAnswer } from './http.ts';
import type { Json } from './model.ts';
import { decideConsent, showConsent } from './oauth/consent.ts';
import { loginPage } from './oauth/pages.ts';
import type { Call, CallFaultKind } from './types.ts';
import type { World } from './world.ts';

/** What a request came to, for the log and for whoever asked. */
interface Outcome {
  answer: Answer;
  team: string | undefined;
  error: string | undefined;
  arguments: Json;
}

export async function serve(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '/', query = ''] = splitOnce(request.url ?? '/', '?');
  const method = methodFor(path);
  if (method !== undefined) {
    await serveCall(world, request, response, method, () => outcomeOf(world, request, method, path, query));
  } else if (path === '/oauth/v2/authorize') {
    const posted = request.method === 'POST';
    await send(response, posted ? decideConsent(world, query, await readBody(request)) : showConsent(world, query));
  } else if (path.startsWith('/-/')) {
    await send(response, await drive(world, request.method ?? '', path, await readBody(request)));
  } else if (path === '/' && new URLSearchParams(query).has('redir')) {
    await send(response, htmlAnswer(200, loginPage()));
  } else {
    request.resume();
    await send(response, textAnswer(404, 'not found'));
  }
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** The name by which a call is logged and struck; undefined for the pages. */
function methodFor(path: string): string | undefined {
  if (path.startsWith('/api/')) return path.slice('/api/'.length);
  if (path.startsWith('/upload/v1/')) return 'upload';
  if (path.startsWith('/files-pri/')) return 'download';
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
      const [, team, file] = /^\/files-pri\/(\w+)-(\w+)\//.exec(path) ?? [];
      return { answer, team, error: answer.status === 200 ? undefined : 'acl_fail', arguments: { file } };
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
      const { token: _, ...rest } = args;
      return { ...processed, arguments: rest };
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
  const strike = world.faults.takeCall(method);
  const log = (outcome: Outcome | undefined, status: number, error = outcome?.error) => {
    const call: Call = {
      method,
      team: outcome?.team,
      at,
      arguments: outcome?.arguments ?? {},
      ok: status === 200 && error === undefined,
      error,
      status,
      outcome: strike ? 'struck' : 'answered',
    };
    world.calls.push(call);
  };
  const answer = async () => {
    const outcome = await process();
    log(outcome, outcome.answer.status);
    await send(response, outcome.answer);
  };
  if (strike) await strikeCall(request, response, strike, { process, log, answer });
  else await answer();
}

interface Steps {
  process: () => Promise<Outcome>;
  log: (outcome: Outcome | undefined, status: number, error?: string) => void;
  answer: () => Promise<void>;
}

/** What each kind of fault does to a call. */
async function strikeCall(
  request: IncomingMessage,
  response: ServerResponse,
  strike: Strike<CallFaultKind>,
  { process, log, answer }: Steps,
): Promise<void> {
  const instead = async (status: number, body: Json, headers: Record<string, string> = {}) => {
    request.resume();
    log(undefined, status, typeof body.error === 'string' ? body.error : undefined);
    await send(response, jsonAnswer(status, body, headers));
  };
  const reset = () => request.socket.resetAndDestroy();
  switch (strike.kind) {
    case 'rate-limited':
      await instead(429, { ok: false, error: 'ratelimited' }, { 'retry-after': String(strike.retryAfter) });
      break;
    case 'server-error':
      await instead(strike.status, { ok: false, error: 'internal_error' });
      break;
    case 'error':
      await instead(200, { ok: false, error: strike.error });
      break;
    case 'hang':
      request.resume();
      log(undefined, 0, 'hang');
      break;
    case 'hang-after':
      log(await process(), 0);
      break;
    case 'reset-before':
      log(undefined, 0, 'reset');
      reset();
      break;
    case 'reset-after':
      log(await process(), 0);
      reset();
      break;
    case 'cut': {
      const outcome = await process();
      log(outcome, 0, 'cut');
      await sendHalf(response, outcome.answer);
      break;
    }
    case 'delay':
      await strike.held();
      await answer();
  }
  strike.hit();
}
