import { randomInt } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bounds } from '../../../lib/bounds.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import { contentOf, post } from '../../../slack/messages.ts';
import { hasErrorMessage } from '../../common/audited.ts';
import { errorBody, escaped, sendPage } from '../../common/page.ts';
import type { Actor } from '../../common/services.ts';
import { expiredTitle, openPage, type PageKind, pageAddress, urlOf } from '../../common/sign-in/page.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import { wrongCode } from '../errors.ts';
import { removeConnectButtons } from '../install/notify.ts';
import { connectDurably } from './jobs.ts';
import { type EnteredDraft, expiredText, keyPages, type Page, page, pageMs } from './repository.ts';
import { connectedBlocks, connectedText, connectedView } from './views.ts';

export async function makeKeyPage(
  services: SlackServices,
  actor: Actor,
  draft: EnteredDraft,
  { next, view }: Pick<Page, 'next' | 'view'> = {},
): Promise<{ url: string; code: string }> {
  const address = pageAddress(actor.workspace);
  const asking = await requesterNames(services, actor);
  const expiresAt = Date.now() + pageMs;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const stored = page.parse({ ...actor, triesLeft: bounds.keyAttempts, asking, expiresAt, next, view, code, draft });
  await services.store.collection(keyPages).set(actor.workspace, stored, { name: address.name, ttlMs: pageMs });
  return { url: urlOf(services, keyPageKind, address), code };
}

async function requesterNames({ slack }: SlackServices, { workspace, person }: Actor): Promise<Page['asking']> {
  const client = await slack.clientOf(workspace);
  const [{ team = workspace, url = '' }, { user }] = await Promise.all([
    client.auth.test(),
    client.users.info({ user: person }),
  ]);
  // A workspace can have the same name as another one, but not the same host.
  const host = URL.canParse(url) ? new URL(url).host : workspace;
  return { workspace: team, host, person: user?.real_name || user?.name || person };
}

const requesterOf = ({ asking }: Page) => `${asking.person} in the Slack workspace ${asking.workspace}`;

const signedInPath = '/connect/signed-in';

const keyPageKind: PageKind<Page> = {
  path: 'connect',
  signedInPath,
  operation: 'connect',
  pages: keyPages,
  expiredText,
  scopeOf: (_, name) => name,
  refusalOf: (stored) => `Only ${requesterOf(stored)} can enter this key.`,
  signInHtml,
};

/** Serves `/connect/<workspace>.<token>` and the redirect after a sign-in. */
export async function serveKeyPage(
  services: SlackServices,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, body: string) => sendPage(response, status, body);
  const opened = await openPage(services, request, response, keyPageKind);
  if (opened === undefined) return;
  const { stored, address } = opened;
  const { workspace, name } = address;
  // With sign-in, only the person who asked for the key gets here: they need no warning and no code.
  const hasSignedIn = services.slack.signIn !== undefined;
  const form = (problem?: string) => formHtml(stored, { hasSignedIn, problem });
  if (request.method !== 'POST') return answer(200, form());
  const { workspace: team, person, code, draft } = stored;
  // Read the form before the link is used up, so that an incomplete form can be sent again.
  const entered = await readForm(request);
  const apiKey = entered?.get('key')?.trim();
  if (apiKey === undefined || apiKey === '') return answer(400, form('The key is empty or too long. Enter it again.'));
  // Use up the link before testing the key: of two concurrent submits, only one continues.
  const taken = await services.store.collection(keyPages).take(workspace, name);
  if (taken === undefined) return answer(404, errorBody('This link has just been used.', expiredTitle));
  // A failed attempt doesn't postpone the page's expiry.
  const ttlMs = Math.max(1, stored.expiresAt - Date.now());
  try {
    // The link can be forwarded: only the person who asked for the page sees the code.
    if (!hasSignedIn && entered?.get('code')?.trim() !== code) throw wrongCode();
    await connectDurably(services, { workspace: team, person }, { ...draft, apiKey });
  } catch (error) {
    if (!hasErrorMessage(error)) {
      // The failure isn't about the key: the link can be used again, and the attempt doesn't count.
      await services.store.collection(keyPages).set(workspace, taken, { name, ttlMs });
      throw error;
    }
    const triesLeft = taken.triesLeft - 1;
    if (triesLeft > 0) {
      await services.store.collection(keyPages).set(workspace, { ...taken, triesLeft }, { name, ttlMs });
      const isAboutForm = isDroplineError(error) && (error.field === 'baseUrl' || error.field === 'username');
      return answer(400, isAboutForm ? changeHtml(stored, error.message) : form(error.message));
    }
    return answer(400, errorBody(`${error.message} Type /drop connect in Slack to start again.`, 'Not connected'));
  }
  answer(200, '<h1>Connected</h1><p>Done, go back to Slack.</p>');
  await notifyConnected(services, stored);
  await removeConnectButtons(services, team);
}

/** Updates the dialog in Slack and sends a message. The page has already confirmed it, so a failure is only logged. */
async function notifyConnected({ slack, log }: SlackServices, stored: Page): Promise<void> {
  const { workspace, person, next, view, draft } = stored;
  try {
    const client = await slack.clientOf(workspace);
    const connected = connectedView(draft.username, next);
    // If the dialog was closed, the message has the buttons.
    const isShown =
      view !== undefined && (await client.views.update({ view_id: view, view: connected }).then(Boolean, () => false));
    const text = connectedText(draft.username);
    await post(client, person, contentOf(text, isShown ? undefined : connectedBlocks(draft.username, next)));
  } catch (error) {
    log.warn(
      { workspace, person, operation: 'connect', err: error },
      'connected, but the person was not notified in Slack',
    );
  }
}

/**
 * Reads the form; undefined if it is too long. Reads it to the end in any case, so that the browser gets the answer.
 */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= bounds.keyFormBytes) chunks.push(chunk);
  }
  return bytes > bounds.keyFormBytes ? undefined : new URLSearchParams(Buffer.concat(chunks).toString());
}

export function formHtml(
  { draft, asking }: Page,
  { hasSignedIn, problem }: { hasSignedIn: boolean; problem?: string },
): string {
  return `<h1>Enter the API key</h1>
${accountHtml(draft)}
${hasSignedIn ? '' : requesterHtml(asking)}
${problem === undefined ? '' : problemHtml(problem)}
<form method="post"><label>API key <input name="key" type="password" autocomplete="off" required autofocus></label>
${hasSignedIn ? '' : codeFieldHtml}<button>Test and connect</button></form>
${problem === undefined ? '' : changeText}
<p class="small">Dropline stores the key encrypted, and Slack never sees it. This page works once and expires after 10 minutes.</p>`;
}

/** Shown if the URL or the account is wrong, which only the form in Slack can change. */
export function changeHtml({ draft }: Page, problem: string): string {
  return `<h1>Not connected</h1>
${accountHtml(draft)}
${problemHtml(problem)}
${changeText}
<p class="small">If both are right, click <b>Open page</b> in Slack to try again.</p>`;
}

const changeText = `<p>To change the URL or the account, go back to Slack and click <b>Change URL or account</b>,
or type /drop connect. The form still has what you entered.</p>`;

const problemHtml = (problem: string) => `<p class="problem" role="alert">${escaped(problem)}</p>`;

const accountHtml = ({ baseUrl, username }: Page['draft']) =>
  `<p>For <b>${escaped(username)}</b> at <b>${escaped(baseUrl)}</b>.</p>`;

export function signInHtml(stored: Page, address: string): string {
  const { draft, asking } = stored;
  return `<h1>Sign in to enter the API key</h1>
${accountHtml(draft)}
${requesterHtml(asking)}
<p>Only ${escaped(requesterOf(stored))} can enter it.</p>
<p><a class="button" href="${escaped(address)}">Sign in with Slack</a></p>`;
}

function requesterHtml({ person, workspace, host }: Page['asking']): string {
  const workspaceHtml = `<b>${escaped(workspace)}</b> (${escaped(host)})`;
  return `<p class="warning"><b>${escaped(person)}</b> in the Slack workspace ${workspaceHtml} asks for it.
With the key, people there can send and receive files as this account. If you don't know them, close this page.</p>`;
}

const codeFieldHtml = `<label>Code from Slack <input name="code" inputmode="numeric" autocomplete="off" required></label>
<p class="small">Slack shows the code next to the link to this page. If someone else sent you the link, close this page.</p>
`;
