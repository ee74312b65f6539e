import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FilesInfoResponse, WebClient } from '@slack/web-api';
import { request } from 'undici';
import { bounds } from '../bounds.ts';
import { createCache } from '../cache.ts';
import { DroplineError } from '../errors.ts';
import { isLoopback } from '../loopback.ts';
import type { Bot } from './installations.ts';
import { platformErrorOf, retryAfterMs } from './platform-errors.ts';

export interface FileSourcesOptions {
  botOf(workspace: string): Promise<Bot | undefined>;
  clientOf(workspace: string): Promise<WebClient>;
  /** Hosts that a bot's token can be sent to. */
  fileHosts: readonly string[];
  /** Time limit from the first request until the stream can be read, including redirects. */
  openTimeoutMs?: number;
}

type SlackFile = NonNullable<FilesInfoResponse['file']>;

/** Modes of files that Slack hosts. Others (a link to another site, a canvas, an email) can't be sent. */
const hostedModes = new Set(['hosted', 'snippet']);
const modeTexts: Record<string, string> = {
  external: 'a link to another site',
  post: 'a post',
  space: 'a post',
  quip: 'a canvas',
  canvas: 'a canvas',
  docs: 'a canvas',
  list: 'a list',
  email: 'an email',
  hidden_by_limit: "hidden because your workspace has reached Slack's file limit",
  file_access: "from another organisation, and Slack doesn't give me access",
};
const goneCodes = new Set(['file_not_found', 'file_deleted']);
const deniedCodes = new Set(['access_denied', 'not_visible']);
const temporaryCodes = new Set(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']);

/** Error codes that aren't about the file, but about the token, the app, the workspace or rate limits. */
const unrelatedCodes = new Set([
  'accesslimited',
  'account_inactive',
  'deprecated_endpoint',
  'enterprise_is_restricted',
  'invalid_auth',
  'method_deprecated',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'not_authed',
  'org_login_required',
  'ratelimited',
  'rate_limited',
  'team_access_not_granted',
  'team_added_to_org',
  'token_expired',
  'token_revoked',
  'two_factor_setup_required',
  'unknown_method',
]);

const cacheTtlMs = 60_000;

/** Looks up files in Slack by id, and opens them as streams. */
export function createFileSources({
  botOf,
  clientOf,
  fileHosts,
  openTimeoutMs = bounds.slackFileMs,
}: FileSourcesOptions) {
  // Refusals aren't cached, so that inviting the bot or sharing the file again works at once.
  const cache = createCache<SlackFile>({ ttlMs: cacheTtlMs, maxEntries: bounds.cachedFileInfos });

  async function fetchInfo(workspace: string, id: string): Promise<SlackFile> {
    const { file } = await (await clientOf(workspace)).files.info({ file: id });
    return file === undefined ? { mode: 'tombstone' } : pickFields(file);
  }

  async function find(workspace: string, id: string, isFresh = false): Promise<SlackFile | undefined> {
    try {
      const file = await (isFresh ? cache.renew : cache.get)(`${workspace} ${id}`, () => fetchInfo(workspace, id));
      return file.mode === 'tombstone' ? undefined : file;
    } catch (error) {
      const refusal = platformErrorOf(error);
      if (refusal === undefined || unrelatedCodes.has(refusal)) throw error;
      if (goneCodes.has(refusal)) return undefined;
      throw refusedFile(refusal, error);
    }
  }

  return {
    async inspect(
      workspace: string,
      id: string,
      { isFresh, known, signal }: InspectOptions = {},
    ): Promise<SourceFile | undefined> {
      const finding = () => find(workspace, id, isFresh);
      try {
        const file = await (known === undefined ? retryWhenRateLimited(finding, signal) : finding());
        if (file === undefined) return undefined;
        const isSnippet = file.mode === 'snippet';
        return { name: expectHosted(file), size: file.size ?? 0, stamp: stampOf(file), isSnippet };
      } catch (error) {
        if (known !== undefined && retryAfterMs(error) !== undefined) return known;
        throw error;
      }
    },
    async open(workspace: string, id: string, signal: AbortSignal): Promise<Readable> {
      const file = await retryWhenRateLimited(() => find(workspace, id), signal);
      const bot = await botOf(workspace);
      if (file === undefined || bot === undefined) throw unreadable(goneText);
      expectHosted(file);
      return withOpenTimeout(openTimeoutMs, signal, (opening) => download(file, bot.token, fileHosts, opening));
    },
  };
}

interface SourceFile {
  name: string;
  size: number;
  stamp: string;
  isSnippet: boolean;
}

interface InspectOptions {
  isFresh?: boolean | undefined;
  known?: SourceFile | undefined;
  signal?: AbortSignal | undefined;
}

/** Waits and retries while Slack rate-limits the calls, for up to `bounds.fileInfoRetryMs`. */
async function retryWhenRateLimited<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let remainingMs = bounds.fileInfoRetryMs; ; ) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = retryAfterMs(error);
      if (pauseMs === undefined || pauseMs > remainingMs) throw error;
      remainingMs -= pauseMs;
      await sleep(pauseMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
    }
  }
}

/** Keeps only the fields that we use: Slack adds previews and whole texts. */
function pickFields(file: SlackFile): SlackFile {
  const { name, title, mode, is_external, mimetype, size, url_private, url_private_download } = file;
  const { created, timestamp, updated, edit_timestamp } = file;
  const fields = { name, title, mode, is_external, mimetype, size, url_private, url_private_download };
  return { ...fields, created, timestamp, updated, edit_timestamp } as SlackFile;
}

/** Changes with the file's content, unless a snippet is edited twice within a second. */
function stampOf({ created, timestamp, updated, edit_timestamp: edited }: SlackFile): string {
  return [created, timestamp, updated, edited].join(' ');
}

function expectHosted({ name, mode = '', title, is_external: isExternal }: SlackFile): string {
  const fileName = name ?? title ?? 'file';
  if (hostedModes.has(mode) && isExternal !== true) return fileName;
  const kindText = modeTexts[isExternal === true ? 'external' : mode] ?? 'something that only Slack can open';
  throw new DroplineError('invalid', `“${fileName}” is ${kindText} and can't be sent.`, { names: [fileName] });
}

/** Limits the time for opening only. After that, only the time between two chunks is limited. */
async function withOpenTimeout(
  ms: number,
  callerSignal: AbortSignal,
  open: (signal: AbortSignal) => Promise<Readable>,
): Promise<Readable> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(unreadable("Slack didn't send the file in time. Try again later.")), ms);
  try {
    return await open(AbortSignal.any([callerSignal, timeout.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** Streams a file. Rejects if Slack answers with anything else, for example a sign-in page. */
async function download(
  file: SlackFile,
  token: string,
  hosts: readonly string[],
  signal: AbortSignal,
): Promise<Readable> {
  let address = file.url_private_download ?? file.url_private ?? '';
  for (let redirects = 0; redirects <= bounds.slackFileRedirects; redirects += 1) {
    // The token goes only to Slack, even if the file's URL points elsewhere.
    if (!isSlackFile(address, hosts)) throw unreadable("Its address isn't on Slack.");
    const { statusCode, headers, body } = await request(address, {
      headers: { authorization: `Bearer ${token}` },
      signal,
      headersTimeout: 30_000,
      bodyTimeout: 60_000,
    });
    const location = String(headers.location ?? '');
    if (statusCode >= 300 && statusCode < 400) {
      body.on('error', () => {}).destroy();
      // Without access, Slack redirects to a sign-in page.
      if (location === '' || /[?&]redir=/.test(location)) throw unreadable(noAccessText);
      address = new URL(location, address).href;
      continue;
    }
    const length = headers['content-length'];
    const isWhole = statusCode === 200 && Number(length) === file.size;
    // Compare the length, not the type: exported .xls or .doc reports are often HTML, like a sign-in page.
    if (isWhole) return body;
    const isPage = isHtml(String(headers['content-type'] ?? '')) && !isHtml(typeOf(file));
    if (statusCode === 200 && !isPage && length === undefined) {
      if (isText(file) || file.size === 0 || !(await startsAsPage(body, signal))) return body;
    }
    body.on('error', () => {}).destroy();
    if (statusCode === 200 && !isPage && length !== undefined)
      throw unreadable("The file's size differs from what Slack reports.");
    if (statusCode === 404 || statusCode === 410) throw unreadable(goneText);
    const isRefusal = statusCode === 200 || statusCode === 401 || statusCode === 403;
    throw unreadable(isRefusal ? noAccessText : `Slack answered with ${statusCode}.`);
  }
  throw unreadable('Slack redirected too often.');
}

/** Requires HTTPS, except for a simulated Slack on this machine. */
function isSlackFile(address: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, hostname } = new URL(address);
  return hosts.includes(host) && (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)));
}

const isHtml = (type: string) => /\bhtml\b/i.test(type);

/** A text file can start like a web page. */
const isText = (file: SlackFile) => /^text\/|\b(html|xml)\b/i.test(typeOf(file));

/** Slack leaves the type empty until it has scanned the file. Until then, the extension determines it. */
function typeOf({ mimetype, name }: SlackFile): string {
  const [, extension = ''] = /\.(x?html?|txt|csv|md|xml)$/i.exec(name ?? '') ?? [];
  return mimetype || (/htm/i.test(extension) ? 'text/html' : extension && 'text/plain');
}

/** Checks the first bytes: a sign-in page can have the file's own content type. */
async function startsAsPage(body: Readable, signal: AbortSignal): Promise<boolean> {
  const chunk = await readFirstChunk(body, signal);
  if (chunk === undefined) throw new DroplineError('empty-file', 'Slack sent an empty file. Share it again.');
  body.unshift(chunk);
  return /^\s*<(!doctype html|html)\b/i.test(chunk.subarray(0, 200).toString('latin1'));
}

/**
 * Resolves with undefined if the body is empty. Listens for `end` too: an empty body doesn't always emit `readable`.
 */
function readFirstChunk(body: Readable, signal: AbortSignal): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const stopListening = (finish: () => void) => {
      body.off('readable', onReadable).off('end', onEnd).off('error', onError);
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const onReadable = () => {
      const chunk: Buffer | null = body.read();
      if (chunk !== null) stopListening(() => resolve(chunk));
    };
    const onEnd = () => stopListening(() => resolve(undefined));
    const onError = (error: Error) => stopListening(() => reject(error));
    const onAbort = () => stopListening(() => reject(signal.reason));
    body.on('readable', onReadable).once('end', onEnd).once('error', onError);
    signal.addEventListener('abort', onAbort, { once: true });
    onReadable();
  });
}

function refusedFile(refusal: string, cause: unknown): DroplineError {
  if (deniedCodes.has(refusal))
    return new DroplineError('invalid', "I can't read this file. Share it with me in a direct message.", { cause });
  const text = `Slack can't show me this file`;
  return temporaryCodes.has(refusal)
    ? new DroplineError('busy', `${text} right now (${refusal}). Try again later.`, { cause })
    : new DroplineError('invalid', `${text} (${refusal}).`, { cause });
}

const goneText = "It's no longer there.";
const noAccessText = "I can't read it. Invite me to its channel, or send it to me in a direct message.";

const unreadable = (message: string) => new DroplineError('file-failed', message);
