import type { IncomingMessage, ServerResponse } from 'node:http';
import { Aborted, bodyOf } from '../../node-http.ts';
import { type Answer, send } from '../http/answer.ts';
import { maxZipBytes, zipOf } from '../http/zip.ts';
import { downloadPage } from '../pages/download-page.ts';
import type { Html } from '../pages/html.ts';
import { pageHeaders } from '../pages/layout.ts';
import { noticePage } from '../pages/notice.ts';
import { thanksPage, uploadPage } from '../pages/upload-page.ts';
import type { DownloadPage, StoredFile } from '../state/model.ts';
import { attachment } from '../state/names.ts';
import { Refusal } from '../state/refusal.ts';
import { isLive, type PageTarget, type World } from '../state/world.ts';
import { receiveForm } from './inbox.ts';

/** Pages of receivers and contacts: `/page/<secret>`, a file as `/page/<secret>/<number>`, all files as `…/all`. */
export function isPagePath(segments: string[]): boolean {
  return segments[0] === 'page' && /^[\w-]{43}$/.test(segments[1] ?? '');
}

export async function servePage(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  segments: string[],
): Promise<void> {
  const method = request.method ?? '';
  try {
    const target = findPage(world, segments);
    if (target.kind === 'upload') {
      const answer = await uploadAnswer(world, target, request, method);
      await send(response, answer);
    } else {
      requireMethod(['GET'], method);
      await sendDownload(world, target, response, segments[2]);
    }
  } catch (error) {
    if (error instanceof Aborted) return;
    if (!(error instanceof Refusal)) throw error;
    // Discard the rest of the body, so that the browser shows the page.
    request.resume();
    const answer = page(
      error.status,
      noticePage(titles[error.status] ?? 'This did not work', formatMessage(error.message)),
    );
    await send(response, { ...answer, headers: { ...answer.headers, ...error.headers } });
  }
}

function formatMessage(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`;
}

const titles: Record<number, string> = { 404: 'Nothing here', 410: 'This page has expired' };

function findPage(world: World, [, token = '', ...rest]: string[]): PageTarget {
  const target = world.pages.get(token);
  if (!target || rest.length > (target.kind === 'download' ? 1 : 0)) {
    throw new Refusal(404, 'The address is not complete, or it has never been one.');
  }
  if (!isLive(world, target.kind === 'download' ? target.drop : target.page)) {
    throw new Refusal(410, `It was open for a limited time only. Ask ${target.account.user} for a new one.`);
  }
  return target;
}

async function sendDownload(
  world: World,
  { account, drop, page: pageRecord }: PageTarget & { kind: 'download' },
  response: ServerResponse,
  selection: string | undefined,
): Promise<void> {
  if (selection === undefined) {
    await send(response, page(200, downloadPage({ sender: account.user, drop, page: pageRecord })));
    return;
  }
  if (selection === 'all') return sendAll(world, drop.files, pageRecord, response);
  const file = /^\d{1,9}$/.test(selection) ? drop.files[Number(selection)] : undefined;
  if (!file || !world.files.has(file.sha256)) throw new Refusal(404, 'There is no such file on this page.');
  const answer: Answer = {
    status: 200,
    headers: {
      ...pageHeaders,
      // Never the sender's type: the browser must not render the file here.
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': attachment(file.name),
    },
    body: { bytes: file.bytes, open: () => world.files.open(file.sha256) },
  };
  await send(response, answer, () => pageRecord.taken.push({ name: file.name, at: world.clock() }));
}

async function sendAll(
  world: World,
  files: readonly StoredFile[],
  pageRecord: DownloadPage,
  response: ServerResponse,
): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > maxZipBytes || files.some(({ sha256 }) => !world.files.has(sha256)))
    throw new Refusal(404, 'These files can only be downloaded one by one.');
  const entries = files.map(({ name, bytes, sha256 }) => ({ name, bytes, open: () => world.files.open(sha256) }));
  const headers = {
    ...pageHeaders,
    'Content-Type': 'application/zip',
    'Content-Disposition': attachment('files.zip'),
  };
  await send(response, { status: 200, headers, body: zipOf(entries) }, () => {
    pageRecord.taken.push(...files.map(({ name }) => ({ name, at: world.clock() })));
  });
}

async function uploadAnswer(
  world: World,
  { account, page: pageRecord }: PageTarget & { kind: 'upload' },
  request: IncomingMessage,
  method: string,
): Promise<Answer> {
  requireMethod(['GET', 'POST'], method);
  if (method === 'GET') return page(200, uploadPage({ requester: account.user, page: pageRecord }));
  const form = { body: bodyOf(request), contentType: request.headers['content-type'] };
  const item = await receiveForm(world, account, pageRecord, form);
  return page(200, thanksPage({ requester: account.user, page: pageRecord, files: item.files }));
}

function requireMethod(methods: string[], method: string): void {
  if (!methods.includes(method)) {
    throw new Refusal(405, `This page takes ${methods.join(' and ')} only.`, { Allow: methods.join(', ') });
  }
}

function page(status: number, content: Html): Answer {
  return {
    status,
    headers: { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8' },
    body: Buffer.from(content.text),
  };
}
