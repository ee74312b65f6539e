import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExchangeError } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { type DroplineError, isDroplineError } from '../../../lib/errors.ts';
import { change, contentOf } from '../../../slack/messages.ts';
import { hasErrorMessage, RepeatedError } from '../../common/audited.ts';
import { downloadLinks, type Link, linkPaths, sharedLinkHint, usedLinkText } from '../../common/delivery/links.ts';
import { safeName } from '../../common/names.ts';
import { errorBody, escaped, pageHeaders, sendPage } from '../../common/page.ts';
import type { Actor, Timing } from '../../common/services.ts';
import { expiredTitle, openPage, type PageKind } from '../../common/sign-in/page.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import { pausedText } from '../../pause/fields.ts';
import { pausesIn } from '../../pause/repository.ts';
import type { DeliveredFile } from '../../scanning/operations.ts';
import { openInBrowser } from '../../transfers/copies/operations.ts';
import { downloadFile } from './operations.ts';

/** Removes the button of a used link. A failure is only logged, because the download doesn't depend on it. */
async function removeLinkButton({ slack, log }: SlackServices, workspace: string, link: Link): Promise<void> {
  const { message, person } = link;
  if (message === undefined) return;
  const remove = async () => change(await slack.clientOf(workspace), message, contentOf(usedLinkText(link)));
  await remove().catch((error: unknown) =>
    log.warn({ workspace, person, operation: 'download', err: error }, 'could not remove the button of a used link'),
  );
}

const needsNewerHttpText =
  'This page needs HTTP/1.1. If Dropline runs behind a proxy, ask its operator to turn it on (nginx: proxy_http_version 1.1). Your link still works.';

export const usedText = 'This link has expired or has been used. Ask for a new one in Slack.';

const linkKind: PageKind<Link> = {
  ...linkPaths,
  operation: 'download',
  pages: downloadLinks,
  expiredText: usedText,
  // Download all makes many links at once: the person signs in for all of them.
  scopeOf: ({ person }) => person,
  refusalOf: () => 'Only the person who asked for this link in Slack can use it.',
  signInHtml,
};

/**
 * Serves `/d/<workspace>.<token>` and the redirect after a sign-in. GET returns a page with a button, so that a link
 * preview doesn't use the link.
 */
export function createDownloadPage(services: SlackServices) {
  const running = createCounts();
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = (status: number, body: string) => sendPage(response, status, body);
    request.resume();
    // Without a length, an HTTP/1.0 client can't tell a truncated file from a complete one.
    if (request.httpVersionMajor === 1 && request.httpVersionMinor === 0)
      return answer(505, errorBody(needsNewerHttpText));
    const opened = await openPage(services, request, response, linkKind);
    if (opened === undefined) return;
    const { stored, address } = opened;
    const { workspace, name } = address;
    const { downloads: pause } = await pausesIn(services.store).read({ workspace, account: stored.account });
    if (pause !== undefined) return answer(503, errorBody(pausedText('downloads', pause), pausedTitle));
    if (request.method !== 'POST') return answer(200, downloadPage(stored, services.slack.signIn !== undefined));
    const person = `${workspace} ${stored.person}`;
    if (running.of(person) >= bounds.linksPerPerson) return answer(429, errorBody(tooManyText, tooManyTitle));
    if (running.of(workspace) >= bounds.linksPerWorkspace)
      return answer(429, errorBody(tooManyInWorkspaceText, tooManyTitle));
    running.change([person, workspace], 1);
    try {
      await useAndStream(services, workspace, name, stored, response);
    } finally {
      running.change([person, workspace], -1);
    }
  };
}

/** Counts by name, without the names at zero. */
function createCounts() {
  const counts = new Map<string, number>();
  const of = (name: string) => counts.get(name) ?? 0;
  return {
    of,
    change(names: readonly string[], by: 1 | -1) {
      for (const name of names) {
        counts.set(name, of(name) + by);
        if (of(name) === 0) counts.delete(name);
      }
    },
  };
}

/** Counts a try of the link, and streams its file. The first byte uses the link up. */
async function useAndStream(
  services: SlackServices,
  workspace: string,
  name: string,
  { expiresAt }: Link,
  response: ServerResponse,
): Promise<void> {
  const links = services.store.collection(downloadLinks);
  let removal: Promise<void> | undefined;
  /** Resolves with false if another click has used it. */
  const useLink = async () => {
    const link = await links.take(workspace, name);
    if (link !== undefined) removal = removeLinkButton(services, workspace, link);
    return link !== undefined;
  };
  // A click just before the link expires can still wait for its scan.
  const ttlMs = Math.max(0, expiresAt - Date.now()) + services.timing.scanSlotMs;
  // Counted before the download: one that the browser gives up also writes an audit entry.
  const countTry = (link: Link | undefined) => link && { ...link, triesLeft: link.triesLeft - 1 };
  const link = await links.update(workspace, countTry, { name, ttlMs });
  if (link === undefined || link.triesLeft < 0) return sendPage(response, 404, errorBody(usedText, expiredTitle));
  await streamFile(services, { workspace, ...link }, response, useLink);
  await removal;
}

const pausedTitle = 'Downloads are paused';

const tooManyTitle = 'Too many downloads';

const tooManyText = `You have ${bounds.linksPerPerson} downloads running. Wait until one is finished. Your link still works.`;

const tooManyInWorkspaceText = `Your workspace has ${bounds.linksPerWorkspace} downloads running. Try again later. Your link still works.`;

async function streamFile(
  services: SlackServices,
  { workspace, account, person, url = '', transfer, triesLeft, ...file }: Actor & Link,
  response: ServerResponse,
  useLink: () => Promise<boolean>,
): Promise<void> {
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort(new Error('client disconnected')));
  const sink = async (delivered: DeliveredFile) => {
    // The scanner holds back a small file until its verdict, so an infected one gives an error page, not a broken file.
    await waitForBytes(delivered.stream);
    disconnected.signal.throwIfAborted();
    // Right before the first byte, so that a link whose download never began still works.
    if (!(await useLink())) throw new RepeatedError('used', usedText);
    await sendFile(delivered, response, services.timing);
  };
  try {
    const actor = { workspace, account, person };
    if (transfer === undefined) await downloadFile(services, actor, { url, ...file }, sink, disconnected.signal);
    else await openInBrowser(services, actor, { ...transfer, name: file.name }, sink, disconnected.signal);
  } catch (error) {
    // Cut off a response that has started: if it ended normally, a partial file would look complete.
    if (response.headersSent) return void response.destroy();
    const isLastTry = triesLeft === 0;
    const failure = hasErrorMessage(error) ? failurePage(error, isLastTry) : undefined;
    if (isLastTry || (failure !== undefined && failure.status < 500)) await useLink();
    if (response.destroyed) return;
    if (failure === undefined) throw error;
    sendPage(response, failure.status, failure.body);
  }
}

const statuses: Record<string, number> = {
  'not-connected': 404,
  'not-found': 404,
  used: 404,
  busy: 503,
  paused: 503,
  'file-failed': 502,
};
const blockedTitle = 'File blocked';
const titles: Record<string, string> = { used: expiredTitle, infected: blockedTitle, 'not-scanned': blockedTitle };

/** From status 500 on, the problem can go away by itself: the link still works, unless this was its last try. */
export function failurePage(error: DroplineError | ExchangeError, isLastTry = false): { status: number; body: string } {
  const status = isDroplineError(error) ? (statuses[error.code] ?? 403) : 502;
  const hint = isLastTry ? 'Ask for a new link in Slack.' : 'Your link still works.';
  const message = status < 500 ? error.message : `${error.message} ${hint}`;
  return { status, body: errorBody(message, titles[error.code] ?? 'Download failed') };
}

/** The file's name is only for the person who can download it. */
export function signInHtml(_: Pick<Link, 'person'>, href: string): string {
  return `<h1>Sign in to download the file</h1>
<p>Only the person who asked for this link in Slack can use it.</p>
<p><a class="button" href="${escaped(href)}">Sign in with Slack</a></p>`;
}

/** @param isOwn whether only the person who signed in can use the link */
export function downloadPage({ name, isInfected }: Pick<Link, 'name' | 'isInfected'>, isOwn: boolean): string {
  const warning = '<p class="problem">⚠️ Malware was found in this file. It can harm your computer.</p>\n';
  const sharing = isOwn ? ', and only for you.' : `. ${sharedLinkHint}`;
  return `<h1>${escaped(safeName(name))}</h1>
${isInfected === true ? warning : ''}<form method="post"><button>Download${isInfected === true ? ' anyway' : ''}</button></form>
<p class="small">This link works once, for ten minutes${sharing}</p>`;
}

async function sendFile(
  { name, size, stream }: DeliveredFile,
  response: ServerResponse,
  timing: Timing,
): Promise<void> {
  const stopMeasuring = disconnectIfSlow(response, timing);
  response.writeHead(200, {
    ...pageHeaders,
    // Not the sender's content type: a browser would show their HTML as one of our pages.
    'content-type': 'application/octet-stream',
    'content-disposition': attachment(safeName(name)),
    'content-security-policy': "default-src 'none'; sandbox",
    ...(size === undefined ? {} : { 'content-length': size }),
  });
  await pipeline(stream, response).finally(stopMeasuring);
}

/**
 * Disconnects a client that reads too slowly, so that it doesn't keep a scan from others. Only time in which bytes wait
 * for the client counts, not time in which the client waits for the service or the scanner.
 */
function disconnectIfSlow(response: ServerResponse, { stallMs, readerBytesPerSecond }: Timing): () => void {
  const readBytes = () => (response.socket?.bytesWritten ?? 0) - response.writableLength;
  const checkMs = stallMs / 20;
  let waitedMs = 0;
  let readBefore = readBytes();
  const timer = setInterval(() => {
    if (response.writableLength > 0) waitedMs += checkMs;
    if (waitedMs < stallMs) return;
    if (readBytes() - readBefore < (readerBytesPerSecond * waitedMs) / 1000) response.destroy();
    waitedMs = 0;
    readBefore = readBytes();
  }, checkMs);
  return () => clearInterval(timer);
}

/** Resolves when the stream has bytes or has ended. */
async function waitForBytes(stream: Readable): Promise<void> {
  if (stream.readableLength > 0 || stream.readableEnded) return;
  const listening = new AbortController();
  try {
    await Promise.race(['readable', 'end'].map((name) => once(stream, name, { signal: listening.signal })));
  } finally {
    listening.abort();
  }
}

/** An ASCII name for old browsers, the full name for all others. */
function attachment(name: string): string {
  const ascii = name.replace(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
