import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FilesInfoResponse, WebClient } from '@slack/web-api';
import { type Dispatcher, request } from 'undici';
import { bounds } from '../lib/bounds.ts';
import { createCache } from '../lib/cache.ts';
import { DroplineError, isDroplineError } from '../lib/errors.ts';
import { isLoopback } from '../lib/loopback.ts';
import { peek } from '../lib/peek.ts';
import type { Bot } from './installations.ts';
import { isRefused, platformErrorOf, retryAfterMs } from './platform-errors.ts';

export interface FileSourcesOptions {
  botOf(workspace: string): Promise<Bot | undefined>;
  clientOf(workspace: string): Promise<WebClient>;
  /** The URL of a simulated Slack. */
  apiUrl: string | undefined;
  /** Connects only to public https hosts. For those that Slack redirects to. */
  publicHosts: Dispatcher;
  /** Pauses between lookups of a file that Slack still processes. */
  processingPausesMs?: readonly number[];
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

const cacheTtlMs = 60_000;

/** A file that can be sent. */
interface FoundFile extends SourceFile {
  address: string;
  type: string;
}

/** Looks up files in Slack by id, and opens them as streams. */
export function createFileSources({
  botOf,
  clientOf,
  apiUrl,
  publicHosts,
  processingPausesMs = bounds.fileProcessingPausesMs,
  openTimeoutMs = bounds.slackFileMs,
}: FileSourcesOptions) {
  // Refusals aren't cached, so that inviting the bot or sharing the file again works at once.
  const cache = createCache<FoundFile | undefined>({ ttlMs: cacheTtlMs, maxEntries: bounds.cachedFileInfos });

  async function fetchInfo(workspace: string, id: string): Promise<FoundFile | undefined> {
    const { file: info } = await (await clientOf(workspace)).files.info({ file: id });
    if (info === undefined || info.mode === 'tombstone') return undefined;
    const file = expectSendable(info);
    return isImage(file) ? { ...file, size: await measure(workspace, file) } : file;
  }

  /** Slack removes the EXIF data of images, so only the download states their size. */
  async function measure(workspace: string, file: FoundFile): Promise<number> {
    try {
      const { body, length } = await startDownload(workspace, file);
      body.on('error', () => {}).destroy();
      if (length === undefined) throw unreadable("Slack doesn't state its size. Try again later.");
      return length;
    } catch (cause) {
      const { name } = file;
      if (!isDroplineError(cause)) throw new NotReadyError(name, `“${name}” can't be read. Try again later.`, cause);
      throw new DroplineError('invalid', `“${name}”: ${cause.message}`, { names: [name], cause });
    }
  }

  async function startDownload(workspace: string, file: FoundFile, signal?: AbortSignal): Promise<Download> {
    const bot = await botOf(workspace);
    if (bot === undefined) throw unreadable(goneText);
    return withOpenTimeout(openTimeoutMs, signal, (opening) =>
      download(file, { token: bot.token, apiUrl, publicHosts, signal: opening }),
    );
  }

  /** Retries while Slack rate-limits the calls or the file isn't ready, unless there is a known result. */
  async function find(
    workspace: string,
    id: string,
    { isFresh, known, signal }: InspectOptions,
  ): Promise<FoundFile | undefined> {
    const pauses = [...processingPausesMs];
    for (let remainingMs: number = bounds.fileInfoRetryMs; ; ) {
      try {
        return await (isFresh ? cache.renew : cache.get)(`${workspace} ${id}`, () => fetchInfo(workspace, id));
      } catch (error) {
        if (isRefused(error, 'no-file')) return undefined;
        const refusal = platformErrorOf(error);
        if (refusal !== undefined && !isRefused(error, 'not-possible')) throw refusedFile(refusal, error);
        const pauseMs = error instanceof NotReadyError ? pauses.shift() : retryAfterMs(error);
        if (known !== undefined || pauseMs === undefined || pauseMs > remainingMs) throw error;
        remainingMs -= pauseMs;
        await sleep(pauseMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  }

  return {
    async inspect(workspace: string, id: string, options: InspectOptions = {}): Promise<SourceFile | undefined> {
      try {
        const file = await find(workspace, id, options);
        if (file === undefined) return undefined;
        const { address: _, type: __, ...shown } = file;
        return shown;
      } catch (error) {
        const isLate = retryAfterMs(error) !== undefined || error instanceof NotReadyError;
        if (options.known !== undefined && isLate) return options.known;
        throw error;
      }
    },
    async open(workspace: string, id: string, signal: AbortSignal): Promise<Readable> {
      const file = await find(workspace, id, { signal });
      if (file === undefined) throw unreadable(goneText);
      const { body, length = file.size } = await startDownload(workspace, file, signal);
      if (length === file.size) return body;
      throw refuse(body, sizeDiffersText);
    },
  };
}

interface SourceFile {
  name: string;
  size: number;
  stamp: string;
  isSnippet: boolean;
  isShared: boolean;
}

interface InspectOptions {
  isFresh?: boolean;
  known?: SourceFile;
  signal?: AbortSignal;
}

/** Slack doesn't know the file completely yet, or the connection broke. It is looked up again. */
class NotReadyError extends DroplineError {
  constructor(name: string, message: string, cause?: unknown) {
    super('busy', message, { names: [name], cause });
  }
}

/** Rejects files that Slack doesn't host, or hasn't processed yet. */
function expectSendable(info: SlackFile): FoundFile {
  const { mode = '', is_external: isExternal, size, url_private_download, url_private } = info;
  const name = info.name ?? info.title ?? 'file';
  if ((mode !== '' && !hostedModes.has(mode)) || isExternal === true) {
    const kindText = modeTexts[isExternal === true ? 'external' : mode] ?? 'something that only Slack can open';
    throw new DroplineError('invalid', `“${name}” is ${kindText} and can't be sent.`, { names: [name] });
  }
  const address = url_private_download || url_private;
  // Right after an upload, these can be missing.
  if (mode === '' || size === undefined || !address)
    throw new NotReadyError(name, `Slack is still processing “${name}”. Try again in a minute.`);
  const { channels = [], groups = [], ims = [] } = info;
  // Files that were only attached to a form are in no conversation.
  const isShared = channels.length + groups.length + ims.length > 0;
  const isSnippet = mode === 'snippet';
  return { name, size, stamp: stampOf(info), isSnippet, isShared, address, type: typeOf(info) };
}

/** Changes when a snippet is edited, unless that happens twice within a second. `updated` also changes on its own. */
function stampOf({ created, timestamp, edit_timestamp: edited }: SlackFile): string {
  return [created, timestamp, edited].join(' ');
}

/** Limits the time for opening only. After that, only the time between two chunks is limited. */
async function withOpenTimeout<T>(
  ms: number,
  callerSignal: AbortSignal | undefined,
  open: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(unreadable("Slack didn't send the file in time. Try again later.")), ms);
  try {
    return await open(AbortSignal.any([...(callerSignal ? [callerSignal] : []), timeout.signal]));
  } finally {
    clearTimeout(timer);
  }
}

interface Download {
  body: Readable;
  /** Undefined if Slack doesn't state it. */
  length: number | undefined;
}

interface DownloadOptions extends Pick<FileSourcesOptions, 'apiUrl' | 'publicHosts'> {
  token: string;
  signal: AbortSignal;
}

/** Streams a file. Rejects if Slack answers with anything else, for example a sign-in page. */
async function download(file: FoundFile, options: DownloadOptions): Promise<Download> {
  const { statusCode, headers, body } = await followRedirects(file.address, options);
  const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
  const problem = problemOf(file, statusCode, length, String(headers['content-type'] ?? ''));
  if (problem !== undefined) throw refuse(body, problem);
  if (length === file.size || isText(file) || file.size === 0) return { body, length };
  const { start, stream } = await peek(body, 1);
  if (start.length === 0) throw new DroplineError('empty-file', 'Slack sent an empty file. Share it again.');
  // A sign-in page can have the file's own content type.
  if (/^\s*<(!doctype html|html)\b/i.test(start.subarray(0, 200).toString('latin1'))) throw refuse(body, noAccessText);
  return { body: stream, length };
}

/** Why the answer isn't the file. If its length isn't the file's, its first bytes still have to be checked. */
function problemOf(file: FoundFile, statusCode: number, length: number | undefined, type: string): string | undefined {
  if (statusCode === 404 || statusCode === 410) return goneText;
  if (statusCode === 401 || statusCode === 403) return noAccessText;
  if (statusCode !== 200) return `Slack answered with ${statusCode}.`;
  // Compare the length, not the type: exported .xls or .doc reports are often HTML, like a sign-in page.
  if (length === file.size) return undefined;
  if (isHtml(type) && !isHtml(file.type)) return noAccessText;
  return length === undefined || isImage(file) ? undefined : sizeDiffersText;
}

/** Closes the connection, and returns the error. */
function refuse(body: Readable, problem: string): DroplineError {
  body.on('error', () => {}).destroy();
  return unreadable(problem);
}

/** Slack redirects to other hosts of its own, and to a host elsewhere, which gets no token and can't redirect. */
async function followRedirects(firstAddress: string, options: DownloadOptions): Promise<Dispatcher.ResponseData> {
  let address = firstAddress;
  for (let redirects = 0; redirects <= bounds.slackFileRedirects; redirects += 1) {
    const isSlack = canHaveToken(address, options.apiUrl);
    if (!isSlack && redirects === 0) throw unreadable(notOnSlackText);
    const answer = await (isSlack ? requestFromSlack : requestElsewhere)(address, options);
    const { statusCode, headers, body } = answer;
    if (statusCode < 300 || statusCode >= 400) return answer;
    const location = String(headers.location ?? '');
    // Without access, Slack redirects to a sign-in page.
    if (location === '' || /[?&]redir=/.test(location)) throw refuse(body, noAccessText);
    body.on('error', () => {}).destroy();
    if (!isSlack) break;
    if (!URL.canParse(location, address)) throw unreadable(notOnSlackText);
    address = new URL(location, address).href;
  }
  throw unreadable('Slack redirected too often.');
}

const timeouts = { headersTimeout: 30_000, bodyTimeout: 60_000 };

const requestFromSlack = (address: string, { token, signal }: DownloadOptions) =>
  request(address, { ...timeouts, signal, headers: { authorization: `Bearer ${token}` } });

async function requestElsewhere(address: string, { apiUrl, publicHosts, signal }: DownloadOptions) {
  const dispatcher = isSimulated(address, apiUrl) ? {} : { dispatcher: publicHosts };
  try {
    return await request(address, { ...timeouts, signal, ...dispatcher });
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(`Slack stores it at ${new URL(address).host}, which I can't reach.`, error);
  }
}

/** Whether a bot's token can be sent there: over HTTPS to Slack, or to a simulated Slack on this machine. */
export function canHaveToken(address: string, apiUrl: string | undefined): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host } = new URL(address);
  if (isSimulated(address, apiUrl)) return host === new URL(apiUrl ?? '').host;
  const slackHosts = ['slack.com', ...(apiUrl === undefined ? [] : [new URL(apiUrl).host])];
  return protocol === 'https:' && slackHosts.some((slackHost) => `.${host}`.endsWith(`.${slackHost}`));
}

/** Whether Slack is simulated on this machine, and the address is on it too. */
function isSimulated(address: string, apiUrl: string | undefined): boolean {
  return [address, apiUrl ?? ''].every((url) => url.startsWith('http:') && isLoopback(new URL(url).hostname));
}

const isHtml = (type: string) => /\bhtml\b/i.test(type);

/** A text file can start like a web page. */
const isText = ({ type }: FoundFile) => /^text\/|\b(html|xml)\b/i.test(type);

const isImage = ({ type }: FoundFile) => /^image\//i.test(type);

/** Slack leaves the type empty until it has scanned the file. Until then, the extension determines it. */
function typeOf({ mimetype, name }: SlackFile): string {
  const [, extension = ''] = /\.(x?html?|txt|csv|md|xml)$/i.exec(name ?? '') ?? [];
  return mimetype || (/htm/i.test(extension) ? 'text/html' : extension && 'text/plain');
}

function refusedFile(refusal: string, cause: unknown): DroplineError {
  if (isRefused(cause, 'file-denied'))
    return new DroplineError('invalid', "I can't read this file. Share it with me in a direct message.", { cause });
  const text = `Slack can't show me this file`;
  return isRefused(cause, 'unclear')
    ? new DroplineError('busy', `${text} right now (${refusal}). Try again later.`, { cause })
    : new DroplineError('invalid', `${text} (${refusal}).`, { cause });
}

const goneText = "It's no longer there.";
const notOnSlackText = "Its address isn't on Slack.";
const noAccessText = "I can't read it. Invite me to its channel, or send it to me in a direct message.";

const sizeDiffersText = "The file's size differs from what Slack reports.";

const unreadable = (message: string, cause?: unknown) => new DroplineError('file-failed', message, { cause });
