import type { Readable } from 'node:stream';
import type { FilesInfoResponse, WebClient } from '@slack/web-api';
import { request } from 'undici';
import { DroplineError } from '../errors.ts';
import type { Bot } from './installations.ts';
import { platformErrorOf } from './platform-errors.ts';

export interface FileSourcesOptions {
  botOf(workspace: string): Promise<Bot | undefined>;
  clientOf(workspace: string): Promise<WebClient>;
  /** Hosts to which a bot's token may be sent. */
  fileHosts: readonly string[];
}

type SlackFile = NonNullable<FilesInfoResponse['file']>;

/** What Slack itself holds. What lies elsewhere (a link to another site, a canvas, a mail) is not a file to be sent. */
const modes = new Set(['hosted', 'snippet']);
const gone = new Set(['file_not_found', 'file_deleted']);
const mostRedirects = 3;

/** Files in Slack, by their ids: looked at when chosen and again when sent, and read as a stream. */
export function createFileSources({ botOf, clientOf, fileHosts }: FileSourcesOptions) {
  async function find(workspace: string, id: string): Promise<SlackFile | undefined> {
    const client = await clientOf(workspace);
    try {
      const { file } = await client.files.info({ file: id });
      return file?.mode === 'tombstone' ? undefined : file;
    } catch (error) {
      if (gone.has(platformErrorOf(error) ?? '')) return undefined;
      throw error;
    }
  }

  return {
    async look(workspace: string, id: string) {
      const file = await find(workspace, id);
      if (file === undefined) return undefined;
      const { size = 0, created, timestamp, updated } = file as SlackFile & { updated?: number };
      return { name: expectHosted(file), size, stamp: [created, timestamp, updated].join(' ') };
    },
    async open(workspace: string, id: string, signal: AbortSignal): Promise<Readable> {
      const file = await find(workspace, id);
      const bot = await botOf(workspace);
      if (file === undefined || bot === undefined) throw unreadable(notThere);
      expectHosted(file);
      return download(file, bot.token, fileHosts, signal);
    },
  };
}

function expectHosted({ name, mode = '', title, is_external: isExternal }: SlackFile): string {
  const shown = name ?? title ?? 'file';
  if (modes.has(mode) && isExternal !== true) return shown;
  const what =
    isExternal === true || mode === 'external' ? 'a link to another site' : `a ${mode || 'thing'} of Slack's`;
  throw new DroplineError('invalid', `“${shown}” is ${what}, not a file that could be sent.`, { names: [shown] });
}

/** Streams a file. Every way in which Slack answers with something else than the file is refused. */
async function download(
  file: SlackFile,
  token: string,
  hosts: readonly string[],
  signal: AbortSignal,
): Promise<Readable> {
  let address = file.url_private_download ?? file.url_private ?? '';
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    // The token goes to Slack alone, wherever the file's address may lead.
    if (!URL.canParse(address) || !hosts.includes(new URL(address).host))
      throw unreadable('Its address is not one of Slack.');
    const { statusCode, headers, body } = await request(address, {
      headers: { authorization: `Bearer ${token}` },
      signal,
      headersTimeout: 30_000,
      bodyTimeout: 60_000,
    });
    const location = String(headers.location ?? '');
    if (statusCode >= 300 && statusCode < 400) {
      body.on('error', () => {}).destroy();
      // Slack sends whoever may not have it to a page to sign in.
      if (location === '' || /[?&]redir=/.test(location)) throw unreadable(noAccess);
      address = new URL(location, address).href;
      continue;
    }
    const type = String(headers['content-type'] ?? '');
    const isPage = /\bhtml\b/i.test(type) && !/\bhtml\b/i.test(file.mimetype ?? '');
    const length = headers['content-length'];
    const isOtherSize = statusCode === 200 && !isPage && length !== undefined && Number(length) !== file.size;
    if (statusCode === 200 && !isPage && !isOtherSize) {
      if (isText(file) || !(await beginsAsPage(body))) return body;
    }
    body.on('error', () => {}).destroy();
    if (isOtherSize) throw unreadable('The file is not of the size that Slack says it has.');
    if (statusCode === 404 || statusCode === 410) throw unreadable(notThere);
    const isRefusal = statusCode === 200 || statusCode === 401 || statusCode === 403;
    throw unreadable(isRefusal ? noAccess : `Slack answered with ${statusCode}.`);
  }
  throw unreadable('Slack sends from one address to the next.');
}

/** A text may well begin like a page; a page that Slack sends instead of it has another length. */
const isText = ({ mimetype = '' }: SlackFile) => /^text\/|\b(html|xml)\b/i.test(mimetype);

/** Looks at the first bytes and puts them back: a page to sign in may call itself whatever the file is called. */
async function beginsAsPage(body: Readable): Promise<boolean> {
  await new Promise<void>((resolve, reject) => {
    body.once('error', reject);
    body.once('readable', () => {
      body.off('error', reject);
      resolve();
    });
  });
  const first: Buffer | null = body.read();
  if (first === null) return false;
  body.unshift(first);
  return /^\s*<(!doctype html|html)\b/i.test(first.subarray(0, 200).toString('latin1'));
}

const notThere = 'It is not there any more.';
const noAccess = 'I may not read it: invite me to the channel it is in, or share it with me in a direct message.';

const unreadable = (why: string) => new DroplineError('file-failed', why);
