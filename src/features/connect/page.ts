import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { actions, button, line } from '../../slack/blocks.ts';
import { contentOf, post } from '../../slack/tell.ts';
import { escaped, html, pageHeaders, sorry } from '../html-page.ts';
import { hasSentence } from '../sentence.ts';
import type { Actor } from '../services.ts';
import { settingsSchema } from '../settings/settings.ts';
import type { SlackServices } from '../ui-services.ts';
import type { ConnectWish } from './operations.ts';
import { connectForGood } from './trial.ts';

/** A page on which an admin enters the API key, so that Slack never sees it. Only the hash of its address is kept. */
const page = z.object({
  workspace: z.string(),
  person: z.string(),
  triesLeft: z.number(),
  /** The command that was interrupted. */
  next: z.string().optional(),
  wish: z.object({
    baseUrl: z.string(),
    username: z.string(),
    inboxChannel: z.string().optional(),
    ttl: settingsSchema.shape.ttl.optional(),
  }),
});
type Page = z.infer<typeof page>;
const pageMs = 10 * 60_000;
const mostTries = 5;
const mostBytes = 10_000;

const pagesOf = ({ store }: Pick<SlackServices, 'store'>) => store.drawer('connect-page', page);
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

export async function makeKeyPage(
  services: SlackServices,
  actor: Actor,
  wish: Omit<ConnectWish, 'apiKey'>,
  next?: string,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const { baseUrl, username, inboxChannel, ttl } = wish;
  const kept = page.parse(
    JSON.parse(
      JSON.stringify({ ...actor, triesLeft: mostTries, next, wish: { baseUrl, username, inboxChannel, ttl } }),
    ),
  );
  await pagesOf(services).set(actor.workspace, kept, { name: hashOf(token), ttlMs: pageMs });
  return `${services.publicUrl}/connect/${actor.workspace}.${token}`;
}

/** Answers `/connect/<workspace>.<token>`. */
export async function serveKeyPage(
  services: SlackServices,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, body: string) => void response.writeHead(status, pageHeaders).end(html(body));
  const [workspace = '', token = ''] =
    (request.url ?? '')
      .replace(/^\/connect\//, '')
      .split('?')[0]
      ?.split('.') ?? [];
  const name = hashOf(token);
  const kept = await pagesOf(services).get(workspace, name);
  if (kept === undefined)
    return answer(404, sorry('This link has expired or was used. Type /drop connect in Slack for a new one.'));
  if (request.method !== 'POST') return answer(200, form(kept.wish));
  const { workspace: team, person, triesLeft, wish } = kept;
  // Before the link is used up: a form that does not come through can be sent again.
  const apiKey = await readKey(request);
  if (apiKey === undefined) return answer(400, form(wish, 'That was empty, or too long for a key. Enter it again.'));
  // Used up before it is tried: of two who submit at once, one is heard.
  if ((await pagesOf(services).take(workspace, name)) === undefined)
    return answer(404, sorry('This link was used just now.'));
  try {
    await connectForGood(services, { workspace: team, person }, { ...(wish as ConnectWish), apiKey });
  } catch (error) {
    if (!hasSentence(error)) {
      // That was not about the key: the same link can be tried again.
      await pagesOf(services).set(workspace, kept, { name, ttlMs: pageMs });
      throw error;
    }
    if (triesLeft > 1) {
      await pagesOf(services).set(workspace, { ...kept, triesLeft: triesLeft - 1 }, { name, ttlMs: pageMs });
      return answer(400, form(wish, error.message));
    }
    return answer(400, sorry(`${error.message} Type /drop connect in Slack to begin again.`));
  }
  answer(200, '<h1>Connected</h1><p>You can close this page and go back to Slack.</p>');
  await sayConnected(services, kept);
}

/** The page has said so already: what Slack does not take now is not worth an error. */
async function sayConnected({ slack, log }: SlackServices, { workspace, person, next }: Page): Promise<void> {
  try {
    const client = await slack.clientOf(workspace);
    const text = 'This workspace is connected to the file service now.';
    const goOn =
      next === undefined ? [] : [actions(button(`Go on with /drop ${next}`, 'connect.goOn', { value: next }))];
    await post(client, person, contentOf(text, [line(text), ...goOn]));
  } catch (error) {
    log.warn(
      { workspace, person, operation: 'connect', err: error },
      'connected, but the person was not told in Slack',
    );
  }
}

/** Undefined where there is none. What is too long is read on and forgotten, so that its sender hears the answer. */
async function readKey(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= mostBytes) chunks.push(chunk);
  }
  if (bytes > mostBytes) return undefined;
  return new URLSearchParams(Buffer.concat(chunks).toString()).get('key')?.trim() || undefined;
}

function form({ baseUrl, username }: { baseUrl: string; username: string }, problem?: string): string {
  return `<h1>Enter the API key</h1>
<p>For <b>${escaped(username)}</b> at <b>${escaped(baseUrl)}</b>.</p>
${problem === undefined ? '' : `<p class="problem" role="alert">${escaped(problem)}</p>`}
<form method="post"><label>API key <input name="key" type="password" autocomplete="off" required autofocus></label>
<button>Test and connect</button></form>
<p class="small">The key goes to Dropline alone, which keeps it encrypted. This page works once, for ten minutes.</p>`;
}
