import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { defineCollection } from '../../../store/index.ts';
import { errorBody, html, pageHeaders } from '../../common/page.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import {
  expiredText,
  hashOf,
  keyPages,
  type Page,
  type PageAddress,
  pageAddress,
  pageMs,
  urlOf,
} from './repository.ts';

/**
 * The cookie of a browser that opened a key page. If sign-in is configured, only the person who asked for the page can
 * use it. The OAuth state has the page and the hash of the cookie's secret, so that a sign-in that was started in one
 * browser doesn't work in another. After that person has signed in, the cookie also holds a proof.
 */
interface KeyPageCookie {
  page: PageAddress;
  secret: string;
  /** Empty until the person who asked for the page has signed in. */
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
const usedStates = defineCollection('key-page-state', used);

export const signedInPath = '/connect/signed-in';
const redirectUriOf = ({ publicUrl }: SlackServices) => `${publicUrl}${signedInPath}`;

/** Whether the key can be entered in this browser. If sign-in isn't configured, every browser is accepted. */
export function canEnterKey(services: SlackServices, request: IncomingMessage, page: PageAddress): boolean {
  if (services.slack.signIn === undefined) return true;
  const cookie = readCookie(services, request);
  return cookie !== undefined && isEqual(cookie.proof, proofOf(services, page, cookie.secret));
}

/** The address of Slack's sign-in page, and the headers for Dropline's page that links to it. */
export function startSignIn(services: SlackServices, request: IncomingMessage, page: PageAddress, stored: Page) {
  const { signIn } = services.slack;
  if (signIn === undefined) throw new Error('sign-in needs a client id');
  const before = readCookie(services, request);
  // Reuse the secret, so that the first tab keeps working when the page is opened in a second one.
  const secret = before?.page.name === page.name ? before.secret : randomBytes(32).toString('base64url');
  const expiresAt = stored.expiresAt ?? Date.now() + pageMs;
  const stateText = writeState(services, {
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
      state: stateText,
      nonce: nonceOf(services, stateText),
      redirectUri,
    }),
    headers: { 'set-cookie': cookieOf(services, { page, secret, proof: '' }) },
  };
}

/** Serves `/connect/signed-in`, where Slack redirects the browser after a sign-in, including a cancelled one. */
export async function serveSignedIn(
  services: SlackServices,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number, message: string) =>
    void response.writeHead(status, pageHeaders).end(html(errorBody(message, "You aren't signed in")));
  const query = new URL(request.url ?? '', 'http://x').searchParams;
  const stateText = query.get('state') ?? '';
  const signInState = readState(services, stateText);
  const cookie = readCookie(services, request);
  if (signInState === undefined || cookie === undefined || signInState.expiresAt < Date.now())
    return refuse(400, invalidSignInText);
  const { page, secret } = cookie;
  const isSamePage = signInState.workspace === page.workspace && signInState.page === page.name;
  if (!isSamePage || signInState.browser !== hashOf(secret)) return refuse(400, invalidSignInText);
  const stored = await services.store.collection(keyPages).get(signInState.workspace, signInState.page);
  if (stored === undefined) return refuse(404, expiredText);
  const isFirst = await services.store
    .collection(usedStates)
    .add(signInState.workspace, true, { name: signInState.id, ttlMs: pageMs });
  if (!isFirst) return refuse(400, invalidSignInText);
  const code = query.get('code');
  if (code === null) return refuse(400, 'You didn’t sign in. Open the link from Slack again to enter the key.');
  const nonce = nonceOf(services, stateText);
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
      `Only ${requesterOf(stored)} can enter this key. Sign in to Slack as that person, or close this page.`,
    );
  }
  const proof = proofOf(services, page, secret);
  const headers = { ...pageHeaders, 'set-cookie': cookieOf(services, { page, secret, proof }) };
  response.writeHead(303, { ...headers, location: urlOf(services, page) }).end();
}

const invalidSignInText =
  'This sign-in has expired, was used, or was started in another browser. Open the link from Slack again.';

export function requesterOf({ asking }: Page): string {
  return `${asking.person} in the Slack workspace ${asking.workspace}`;
}

const nonceOf = ({ store }: SlackServices, stateText: string) => store.hmacOf(`connect nonce ${stateText}`);

const proofOf = ({ store }: SlackServices, { workspace, name }: PageAddress, secret: string) =>
  store.hmacOf(`connect signed in ${workspace} ${name} ${secret}`);

function writeState({ store }: SlackServices, signInState: z.infer<typeof state>): string {
  const text = Buffer.from(JSON.stringify(signInState)).toString('base64url');
  return `${text}.${store.hmacOf(`connect state ${text}`)}`;
}

function readState({ store }: SlackServices, stateText: string): z.infer<typeof state> | undefined {
  const [text = '', signature = ''] = stateText.split('.');
  if (!isEqual(signature, store.hmacOf(`connect state ${text}`))) return undefined;
  return state.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
}

function isEqual(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** With TLS, the `__Host-` prefix keeps other hosts from setting this cookie. */
const cookieName = ({ publicUrl }: SlackServices) =>
  publicUrl?.startsWith('https:') ? '__Host-dropline-connect' : 'dropline-connect';

function cookieOf(services: SlackServices, { page, secret, proof }: KeyPageCookie): string {
  const name = cookieName(services);
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  const value = [page.workspace, page.token, secret, proof].join('.');
  // Lax, because the cookie must be sent when Slack redirects the browser to Dropline.
  return `${name}=${value}; Path=/; Max-Age=${pageMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
}

function readCookie(services: SlackServices, request: IncomingMessage): KeyPageCookie | undefined {
  const prefix = `${cookieName(services)}=`;
  const pair = (request.headers.cookie ?? '').split('; ').find((one) => one.startsWith(prefix));
  const [workspace = '', token = '', secret = '', proof = ''] = pair?.slice(prefix.length).split('.') ?? [];
  if (!/^[\w-]{43}$/.test(secret)) return undefined;
  return { page: pageAddress(`${workspace}.${token}`), secret, proof };
}
