import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';
import { type CollectionDefinition, defineCollection } from '../../../store/index.ts';
import { errorBody, pageHeaders, sendPage } from '../page.ts';
import type { SlackServices } from '../slack-services.ts';

/** A kind of page that only one person can use. Without sign-in, everyone who has the link can open it. */
export interface PageKind<Stored extends { person: string }> {
  /** The first part of its path, `/<path>/<workspace>.<token>`. */
  path: 'connect' | 'd';
  /** Where Slack redirects the browser after a sign-in, including a cancelled one. */
  signedInPath: string;
  /** For the log. */
  operation: string;
  pages: CollectionDefinition<Stored>;
  expiredText: string;
  /** What a sign-in opens: only the page of this name, or all pages of the person. */
  scopeOf(stored: Stored, name: string): string;
  /** The answer to anyone else who signs in. */
  refusalOf(stored: Stored): string;
  signInHtml(stored: Stored, href: string): string;
}

export interface PageAddress {
  workspace: string;
  token: string;
  /** The key under which the page is stored: the hash of its token, so that the database can't open the page. */
  name: string;
}

const randomText = () => randomBytes(32).toString('base64url');
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

export const pageAddress = (workspace = '', token = randomText()): PageAddress => ({
  workspace,
  token,
  name: hashOf(token),
});

/** @param path the path of a page, or its URL */
export function readAddress(path: string): PageAddress {
  const [workspace, token = ''] = path.slice(path.lastIndexOf('/') + 1).split('.');
  return pageAddress(workspace, token);
}

type AnyKind = Pick<PageKind<never>, 'path' | 'signedInPath'>;

export const urlOf = (
  { publicUrl }: Pick<SlackServices, 'publicUrl'>,
  { path }: AnyKind,
  { workspace, token }: PageAddress,
) => `${publicUrl}/${path}/${workspace}.${token}`;

/**
 * Resolves with the page if this browser can use it. Otherwise answers that the page has expired, or with a link to the
 * sign-in. Also serves the redirect after a sign-in.
 */
export async function openPage<Stored extends { person: string }>(
  services: SlackServices,
  request: IncomingMessage,
  response: ServerResponse,
  kind: PageKind<Stored>,
): Promise<{ address: PageAddress; stored: Stored } | undefined> {
  const [path = ''] = (request.url ?? '').split('?');
  if (path === kind.signedInPath) {
    await serveSignedIn(services, request, response, kind);
    return undefined;
  }
  const address = readAddress(path);
  const stored = await services.store.collection(kind.pages).get(address.workspace, address.name);
  if (stored !== undefined && canUse(services, request, kind, address.workspace, kind.scopeOf(stored, address.name)))
    return { address, stored };
  request.resume();
  if (stored === undefined) {
    sendPage(response, 404, errorBody(kind.expiredText, expiredTitle));
    return undefined;
  }
  const { href, headers } = startSignIn(services, request, kind, address);
  const status = request.method === 'POST' ? 403 : 200;
  sendPage(response, status, kind.signInHtml(stored, href), headers);
  return undefined;
}

export const expiredTitle = 'Link expired';

/**
 * The cookie of a browser that opened such a page. The OAuth state has the page and the hash of the cookie's secret, so
 * that a sign-in that was started in one browser doesn't work in another. After the person has signed in, the cookie
 * also holds a proof and the time until which it is valid.
 */
interface PageCookie {
  secret: string;
  until: string;
  proof: string;
}

const state = z.object({
  workspace: z.string(),
  token: z.string(),
  browser: z.string(),
  expiresAt: z.number(),
  /** Unique: each state works once. */
  id: z.string(),
});

const used = z.literal(true);
const usedStates = defineCollection('sign-in-state', used);

function canUse(
  services: SlackServices,
  request: IncomingMessage,
  kind: AnyKind,
  workspace: string,
  scope: string,
): boolean {
  if (services.slack.signIn === undefined) return true;
  const cookie = readCookie(services, request, kind);
  if (cookie === undefined || !(Number(cookie.until) > Date.now())) return false;
  return isEqual(cookie.proof, proofOf(services, kind, `${workspace} ${scope}`, cookie));
}

/** The address of Slack's sign-in page, and the headers for Dropline's page that links to it. */
function startSignIn(services: SlackServices, request: IncomingMessage, kind: AnyKind, page: PageAddress) {
  const { slack, store, publicUrl } = services;
  if (slack.signIn === undefined) throw new Error('sign-in needs a client id');
  const { workspace, token } = page;
  // Reuse the cookie, so that the first tab keeps working when a page is opened in a second one.
  const cookie = readCookie(services, request, kind) ?? { secret: randomText(), until: '', proof: '' };
  const expiresAt = Date.now() + bounds.signInMs;
  const values: z.infer<typeof state> = {
    workspace,
    token,
    browser: hashOf(cookie.secret),
    expiresAt,
    id: randomText(),
  };
  // Encrypted, because Slack gets it and it has the page's token.
  const stateText = store.cipher.encrypt(kind.signedInPath, JSON.stringify(values));
  const redirectUri = `${publicUrl}${kind.signedInPath}`;
  return {
    href: slack.signIn.addressFor({ workspace, state: stateText, nonce: nonceOf(services, stateText), redirectUri }),
    headers: { 'set-cookie': cookieText(services, kind, cookie) },
  };
}

async function serveSignedIn<Stored extends { person: string }>(
  services: SlackServices,
  request: IncomingMessage,
  response: ServerResponse,
  kind: PageKind<Stored>,
): Promise<void> {
  const refuse = (status: number, message: string, title = "You aren't signed in") =>
    sendPage(response, status, errorBody(message, title));
  const query = new URL(request.url ?? '', 'http://x').searchParams;
  const stateText = query.get('state') ?? '';
  const signInState = readState(services, kind, stateText);
  const cookie = readCookie(services, request, kind);
  if (signInState === undefined || signInState.expiresAt < Date.now()) return refuse(400, invalidSignInText);
  if (cookie === undefined || signInState.browser !== hashOf(cookie.secret)) return refuse(400, invalidSignInText);
  const { workspace, token, id } = signInState;
  const page = pageAddress(workspace, token);
  const stored = await services.store.collection(kind.pages).get(workspace, page.name);
  if (stored === undefined) return refuse(404, kind.expiredText);
  const isUnused = await services.store
    .collection(usedStates)
    .add(workspace, true, { name: id, ttlMs: bounds.signInMs });
  if (!isUnused) return refuse(400, invalidSignInText);
  const code = query.get('code');
  if (code === null) return refuse(400, 'You didn’t sign in. Open the link from Slack again.');
  const nonce = nonceOf(services, stateText);
  const redirectUri = `${services.publicUrl}${kind.signedInPath}`;
  const identity = await services.slack.signIn?.identify({ code, nonce, redirectUri });
  if (identity === undefined) return refuse(400, 'Slack didn’t confirm who you are. Open the link from Slack again.');
  const { person } = stored;
  if (identity.workspace !== workspace || identity.person !== person) {
    const { operation } = kind;
    services.log.warn({ workspace, person, operation, signedIn: identity }, 'link opened by another person');
    const message = `${kind.refusalOf(stored)} Sign in to Slack as that person, or close this page.`;
    return refuse(403, message, "This link isn't yours");
  }
  const until = String(Date.now() + bounds.signInMs);
  const proof = proofOf(services, kind, `${workspace} ${kind.scopeOf(stored, page.name)}`, { ...cookie, until });
  const headers = { ...pageHeaders, 'set-cookie': cookieText(services, kind, { ...cookie, until, proof }) };
  response.writeHead(303, { ...headers, location: urlOf(services, kind, page) }).end();
}

const invalidSignInText =
  'This sign-in has expired, was used, or was started in another browser. Open the link from Slack again.';

function readState({ store }: SlackServices, { signedInPath }: AnyKind, stateText: string) {
  try {
    return state.parse(JSON.parse(store.cipher.decrypt(signedInPath, stateText)));
  } catch {
    return undefined; // made up, or of another kind of page
  }
}

const nonceOf = ({ store }: SlackServices, stateText: string) => store.hmacOf(`sign-in nonce ${stateText}`);

type Proven = Omit<PageCookie, 'proof'>;
const proofOf = ({ store }: SlackServices, { path }: AnyKind, scope: string, { secret, until }: Proven) =>
  store.hmacOf(`signed in ${path} ${scope} ${secret} ${until}`);

function isEqual(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** With TLS, the `__Host-` prefix keeps other hosts from setting this cookie. */
const cookieName = ({ publicUrl }: SlackServices, { path }: AnyKind) =>
  `${publicUrl?.startsWith('https:') ? '__Host-' : ''}dropline-${path}`;

function cookieText(services: SlackServices, kind: AnyKind, { secret, until, proof }: PageCookie): string {
  const name = cookieName(services, kind);
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  // Lax, because the cookie must be sent when Slack redirects the browser to Dropline.
  const attributes = `Path=/; Max-Age=${bounds.signInMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
  return `${name}=${secret}.${until}.${proof}; ${attributes}`;
}

function readCookie(services: SlackServices, request: IncomingMessage, kind: AnyKind): PageCookie | undefined {
  const prefix = `${cookieName(services, kind)}=`;
  const pair = (request.headers.cookie ?? '').split('; ').find((one) => one.startsWith(prefix));
  const [secret = '', until = '', proof = ''] = pair?.slice(prefix.length).split('.') ?? [];
  return /^[\w-]{43}$/.test(secret) ? { secret, until, proof } : undefined;
}
