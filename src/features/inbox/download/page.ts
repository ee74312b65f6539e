import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { bounds } from '../../../bounds.ts';
import { defineCollection } from '../../../store/index.ts';
import { hasErrorMessage } from '../../common/audited.ts';
import { safeName } from '../../common/names.ts';
import { errorBody, escaped, html, pageHeaders } from '../../common/page.ts';
import type { Actor } from '../../common/services.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import { downloadFile, type IncomingFile } from '../operations.ts';

/** The file behind a link, and the person it is for. Only the hash of the link's token is stored. */
const link = z.object({
  person: z.string(),
  url: z.string(),
  name: z.string(),
  /** An admin asked for a file in which malware was found. */
  isInfected: z.literal(true).optional(),
});
type LinkedFile = Omit<z.infer<typeof link>, 'person'>;

const downloadLinks = defineCollection('download-link', link);
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

export async function makeDownloadLink(
  services: SlackServices,
  { workspace, person }: Actor,
  file: LinkedFile,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await services.store
    .collection(downloadLinks)
    .set(workspace, { person, ...file }, { name: hashOf(token), ttlMs: bounds.linkMs });
  return `${services.publicUrl}/d/${workspace}.${token}`;
}

const needsNewerHttpText =
  'This page needs HTTP/1.1. If Dropline runs behind a proxy, ask its operator to turn it on (nginx: proxy_http_version 1.1). Your link still works.';

const usedText = 'This link has expired or has been used. Click Download in Slack for a new one.';

/** Serves `/d/<workspace>.<token>`. GET returns a page with a button, so that a link preview doesn't use the link. */
export async function serveDownload(
  services: SlackServices,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, body: string) => void response.writeHead(status, pageHeaders).end(html(body));
  request.resume();
  const [path = ''] = (request.url ?? '').split('?');
  const [workspace = '', token = ''] = path.slice('/d/'.length).split('.');
  const links = services.store.collection(downloadLinks);
  // Without a length, an HTTP/1.0 client can't tell a truncated file from a complete one.
  if (request.httpVersionMajor === 1 && request.httpVersionMinor === 0)
    return answer(505, errorBody(needsNewerHttpText));
  if (request.method !== 'POST') {
    const link = await links.get(workspace, hashOf(token));
    return link === undefined ? answer(404, errorBody(usedText)) : answer(200, downloadPage(link));
  }
  const found = await links.get(workspace, hashOf(token));
  if (found === undefined) return answer(404, errorBody(usedText));
  const person = `${workspace} ${found.person}`;
  if (downloadsOf(person) >= bounds.linksPerPerson) return answer(429, errorBody(tooManyText));
  if (downloadsOf(workspace) >= bounds.linksPerWorkspace) return answer(429, errorBody(tooManyInWorkspaceText));
  const uncount = countDownload(person, workspace);
  try {
    // Taken before the first byte is sent, so that only one of two simultaneous clicks gets the file.
    const link = await links.take(workspace, hashOf(token));
    if (link === undefined) return answer(404, errorBody(usedText));
    await streamFile(services, { workspace, ...link }, response);
  } finally {
    uncount();
  }
}

/** Number of running downloads per person and per workspace. */
const running = new Map<string, number>();

const downloadsOf = (name: string) => running.get(name) ?? 0;

/** Counts a running download. Call the result when the download has ended. */
function countDownload(...names: readonly string[]): () => void {
  for (const name of names) running.set(name, downloadsOf(name) + 1);
  return () => {
    for (const name of names) {
      if (downloadsOf(name) === 1) running.delete(name);
      else running.set(name, downloadsOf(name) - 1);
    }
  };
}

const tooManyText = `You have ${bounds.linksPerPerson} downloads running. Wait until one is finished. Your link still works.`;

const tooManyInWorkspaceText = `Your workspace has ${bounds.linksPerWorkspace} downloads running. Try again later. Your link still works.`;

async function streamFile(
  services: SlackServices,
  { workspace, person, ...file }: Actor & LinkedFile,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, body: string) => void response.writeHead(status, pageHeaders).end(html(body));
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort(new Error('client disconnected')));
  const sink = (file: IncomingFile) => sendFile(file, response, services.timing.stallMs);
  try {
    await downloadFile(services, { workspace, person }, file, sink, disconnected.signal);
  } catch (error) {
    // Cut off a response that has started: if it ended normally, a partial file would look complete.
    if (response.headersSent) response.destroy();
    else if (hasErrorMessage(error)) answer(502, errorBody(`${error.message} ${newLinkHint}`));
    else throw error;
  }
}

const newLinkHint = 'This link has been used. Click Download in Slack for a new one.';

function downloadPage({ name, isInfected }: LinkedFile): string {
  const warning = '<p class="problem">⚠️ Malware was found in this file. It can harm your computer.</p>\n';
  return `<h1>${escaped(safeName(name))}</h1>
${isInfected === true ? warning : ''}<form method="post"><button>Download${isInfected === true ? ' anyway' : ''}</button></form>
<p class="small">This link is yours alone. It works once, for ten minutes.</p>`;
}

async function sendFile(
  { name, size, stream, isWaiting }: IncomingFile,
  response: ServerResponse,
  stallMs: number,
): Promise<void> {
  // A small file is held back as a whole: then the person gets an error page instead of a failed download.
  await firstBytes(stream);
  // Disconnects a client that stops reading, but not one that waits for the verdict on the file.
  response.setTimeout(stallMs);
  response.on('timeout', () => (isWaiting() ? response.setTimeout(stallMs) : response.destroy()));
  response.writeHead(200, {
    ...pageHeaders,
    // Not the sender's content type: a browser would show their HTML as a page of ours.
    'content-type': 'application/octet-stream',
    'content-disposition': attachment(safeName(name)),
    'content-security-policy': "default-src 'none'; sandbox",
    ...(size === undefined ? {} : { 'content-length': size }),
  });
  await pipeline(stream, response);
}

/** Resolves when the stream has bytes or has ended. */
async function firstBytes(stream: Readable): Promise<void> {
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
