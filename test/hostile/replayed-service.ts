import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Operation } from '../../src/exchange/index.ts';
import { apiKey, type Setup, user } from '../helpers/exchange.ts';
import { serve } from '../helpers/serve.ts';
import type { RawAnswer } from './mutations.ts';

const pathPatterns: Record<Operation, RegExp> = {
  signIn: /^\/[^/]+\/$/,
  readContacts: /contacts_read\.cgi/,
  replaceContacts: /contacts_add\.cgi/,
  setReceivers: /receivers_set\.cgi/,
  listFiles: /get_files\.cgi/,
  removeFile: /remove_file\.cgi/,
  upload: /upload\.cgi/,
  createDispatch: /createdrop\.cgi/,
  grantAccess: /givedrop\.cgi/,
  readHistory: /get_history\.cgi/,
  download: /\/files\//,
};

export interface ReplayedService {
  url: string;
  /** The reference service's first answer to each operation. */
  recorded: Partial<Record<Operation, RawAnswer>>;
  /** Sets the answer to this operation. All other operations are answered as recorded. */
  answer(operation: Operation, sent: RawAnswer): void;
  /** Tokens that requests contained. */
  tokens: Set<string>;
}

/** Starts a proxy for the reference service that forwards each operation once and then repeats the recorded answer. */
export async function startReplayedService({ server: { url: target } }: Setup): Promise<ReplayedService> {
  const answers: Partial<Record<Operation, RawAnswer>> = {};
  const service: ReplayedService = {
    url: '',
    recorded: {},
    answer(operation, sent) {
      for (const name of Object.keys(answers) as Operation[]) delete answers[name];
      answers[operation] = sent;
    },
    tokens: new Set(),
  };
  const server = createServer(async (request, response) => {
    const operation = operationOf(request.url ?? '');
    const token = request.headers['csrf-token'];
    if (typeof token === 'string') service.tokens.add(token);
    const body = Buffer.concat(await request.toArray());
    const known = answers[operation] ?? service.recorded[operation];
    const sent = known ?? (await forward(target, request, body));
    service.recorded[operation] ??= sent;
    write(sent, response);
  });
  service.url = await serve(server);
  return service;
}

function operationOf(path: string): Operation {
  const found = (Object.keys(pathPatterns) as Operation[]).find((operation) => pathPatterns[operation].test(path));
  if (found === undefined) throw new Error(`no operation has the path ${path}`);
  return found;
}

/** Passes a request on to the reference service. */
export async function forward(
  target: string,
  { url, method, headers }: IncomingMessage,
  body: Buffer,
): Promise<RawAnswer> {
  const authorization = `Basic ${Buffer.from(`${user}:${apiKey}`).toString('base64')}`;
  const { 'csrf-token': token, 'content-type': type } = headers;
  const answer = await fetch(target + url, {
    method: method ?? 'GET',
    headers: {
      authorization,
      ...(typeof token === 'string' ? { 'csrf-token': token } : {}),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    ...(body.length === 0 ? {} : { body }),
  });
  const contentType = answer.headers.get('content-type') ?? 'text/html';
  return {
    status: answer.status,
    headers: { 'content-type': contentType },
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

/** Sends the answer, and cuts the connection at `cutAt`. */
export function write({ status, headers, body, cutAt }: RawAnswer, response: ServerResponse): void {
  // These statuses never have a body.
  const length = status === 204 || status === 304 ? {} : { 'content-length': String(body.length) };
  response.writeHead(status, { ...headers, ...length });
  if (cutAt === undefined) response.end(body);
  else response.write(body.subarray(0, cutAt), () => response.destroy());
}
