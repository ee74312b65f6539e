import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { defineCollection } from '../../../store/index.ts';
import { html, pageHeaders, sorry } from '../../common/html-page.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import { expired, hashOf, keyPages, type Page, type PageAddress, pageAddress, pageMs, urlOf } from './pages.ts';

/**
 * Only the person who asked for a key page can use it, if Slack can tell who that is. A browser that opens the page
 * gets a secret in a cookie. The state names the page and the browser: a sign-in that was started in one browser
 * doesn't work in another. Once the right person has signed in, the cookie also holds a proof.
 */
interface Browser {
  page: PageAddress;
  secret: string;
  /** Empty until the right person has signed in. */
  proof: string;
}

const state = z.object({
  workspace: z.string(),
  page: z.string(),
  browser: z.string(),
  expiresAt: z.number(),
  /** Unique: each state works once. */
  id: z.string(),
});

const used = z.literal(true);
const usedStates = defineCollection('connect-state', used);

export const signedInPath = '/connect/signed-in';
const redirectUriOf = ({ publicUrl }: SlackServices) => `${publicUrl}${signedInPath}`;

/** Whether this browser can be used to enter the key. Without a client id, any can. */
export function canEnterKey(services: SlackServices, request: IncomingMessage, page: PageAddress): boolean {
  if (services.slack.signIn === undefined) return true;
  const browser = browserOf(services, request);
  return browser !== undefined && isEqual(browser.proof, proofOf(services, page, browser.secret));
}

/** The address of Slack's sign-in page, and headers for ours. */
export function askToSignIn(services: SlackServices, request: IncomingMessage, page: PageAddress, stored: Page) {
  const { signIn } = services.slack;
  if (signIn === undefined) throw new Error('there is no client id to sign in with');
  const before = browserOf(services, request);
  // The first tab keeps working when the page is opened in a second one.
  const secret = before?.page.name === page.name ? before.secret : randomBytes(32).toString('base64url');
  const expiresAt = stored.expiresAt ?? Date.now() + pageMs;
  const asked = writeState(services, {
    workspace: page.workspace,
    page: page.name,
    browser: hashOf(secret),
    expiresAt,
    id: randomBytes(16).toString('base64url'),
  });
  const redirectUri = redirectUriOf(services);
  return {
    address: signIn.addressFor({
      workspace: page.workspace,
      state: asked,
      nonce: nonceOf(services, asked),
      redirectUri,
    }),
    headers: { 'set-cookie': cookieOf(services, { page, secret, proof: '' }) },
  };
}

/** Answers `/connect/signed-in`, where Slack sends the browser after a sign-in, including a cancelled one. */
export async function serveSignedIn(
  services: SlackServices,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number, message: string) =>
    void response.writeHead(status, pageHeaders).end(html(sorry(message)));
  const query = new URL(request.url ?? '', 'http://x').searchParams;
  const given = query.get('state') ?? '';
  const started = readState(services, given);
  const browser = browserOf(services, request);
  if (started === undefined || browser === undefined || started.expiresAt < Date.now())
    return refuse(400, notThisBrowser);
  const { page, secret } = browser;
  const isSamePage = started.workspace === page.workspace && started.page === page.name;
  if (!isSamePage || started.browser !== hashOf(secret)) return refuse(400, notThisBrowser);
  const stored = await services.store.collection(keyPages).get(started.workspace, started.page);
  if (stored === undefined) return refuse(404, expired);
  const isFirst = await services.store
    .collection(usedStates)
    .add(started.workspace, true, { name: started.id, ttlMs: pageMs });
  if (!isFirst) return refuse(400, notThisBrowser);
  const code = query.get('code');
  if (code === null) return refuse(400, 'You didn’t sign in. Open the link from Slack again to enter the key.');
  const nonce = nonceOf(services, given);
  const identity = await services.slack.signIn?.identify({ code, nonce, redirectUri: redirectUriOf(services) });
  if (identity === undefined) return refuse(400, 'Slack didn’t confirm who you are. Open the link from Slack again.');
  if (identity.workspace !== stored.workspace || identity.person !== stored.person) {
    const { workspace, person } = stored;
    services.log.warn(
      { workspace, person, operation: 'connect', signedIn: identity },
      'key page opened by another person',
    );
    return refuse(
      403,
      `Only ${whoOf(stored)} can enter this key. Sign in to Slack as that person, or close this page.`,
    );
  }
  const proof = proofOf(services, page, secret);
  const headers = { ...pageHeaders, 'set-cookie': cookieOf(services, { page, secret, proof }) };
  response.writeHead(303, { ...headers, location: urlOf(services, page) }).end();
}

const notThisBrowser =
  'This sign-in has expired, was used, or was started in another browser. Open the link from Slack again.';

export function whoOf({ asking }: Page): string {
  if (asking === undefined) return 'the person who typed /drop connect';
  return `${asking.person} in the Slack workspace ${asking.workspace}`;
}

const nonceOf = ({ store }: SlackServices, asked: string) => store.markOf(`connect nonce ${asked}`);

const proofOf = ({ store }: SlackServices, { workspace, name }: PageAddress, secret: string) =>
  store.markOf(`connect signed in ${workspace} ${name} ${secret}`);

function writeState({ store }: SlackServices, started: z.infer<typeof state>): string {
  const text = Buffer.from(JSON.stringify(started)).toString('base64url');
  return `${text}.${store.markOf(`connect state ${text}`)}`;
}

function readState({ store }: SlackServices, given: string): z.infer<typeof state> | undefined {
  const [text = '', mark = ''] = given.split('.');
  if (!isEqual(mark, store.markOf(`connect state ${text}`))) return undefined;
  return state.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
}

function isEqual(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** With TLS, the prefix keeps other hosts from setting this cookie. */
const cookieName = ({ publicUrl }: SlackServices) =>
  publicUrl?.startsWith('https:') ? '__Host-dropline-connect' : 'dropline-connect';

function cookieOf(services: SlackServices, { page, secret, proof }: Browser): string {
  const name = cookieName(services);
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  const value = [page.workspace, page.token, secret, proof].join('.');
  // Lax, because Slack redirects the browser back to us.
  return `${name}=${value}; Path=/; Max-Age=${pageMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
}

function browserOf(services: SlackServices, request: IncomingMessage): Browser | undefined {
  const begin = `${cookieName(services)}=`;
  const cookie = (request.headers.cookie ?? '').split('; ').find((pair) => pair.startsWith(begin));
  const [workspace = '', token = '', secret = '', proof = ''] = cookie?.slice(begin.length).split('.') ?? [];
  if (!/^[\w-]{43}$/.test(secret)) return undefined;
  return { page: pageAddress(`${workspace}.${token}`), secret, proof };
}
