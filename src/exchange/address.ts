import { ExchangeError } from './errors.ts';

/** One account on one service: where its requests go. */
export interface Account {
  /** The canonical address with the lower-case user: the same for every spelling of the URL. */
  id: string;
  origin: string;
  /** `/base/user/`, encoded, with the trailing slash that the service requires. */
  path: string;
  user: string;
}

export function parseAccount(baseUrl: string, username: string): Account {
  const { origin, pathname } = parseServiceAddress(baseUrl);
  const user = username.trim().toLowerCase();
  if (user.includes(':')) {
    // In Basic authentication, the first colon ends the user name and starts the key.
    throw invalid("The account can't contain a colon.");
  }
  if (/\p{Cc}/u.test(user)) throw invalid("The account can't contain control characters.");
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const canonical = segments.map((segment) => encodeSegment(decodeSegment(segment), 'service URL'));
  // Encoded, because a name can contain a slash, and two accounts must not share an id.
  const path = `/${[...canonical, encodeSegment(user, 'account')].join('/')}`;
  return { id: `${origin}${path}`, origin, path: `${path}/`, user };
}

export function parseServiceAddress(address: string): URL {
  const text = address.trim();
  if (!URL.canParse(text)) {
    throw invalid('Enter a valid URL, like https://files.example.com/exchange.');
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalid('The service URL must start with https://.');
  }
  if (url.username || url.password) throw invalid("The service URL can't contain a user name or password.");
  if (url.search || url.hash || /[?#]$/.test(text)) {
    throw invalid('The service URL can\'t contain "?" or "#".');
  }
  // With a trailing dot it's the same host, as a fully qualified name.
  url.hostname = url.hostname.replace(/\.$/, '');
  return url;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid('The service URL has an invalid "%" sequence.');
  }
}

/**
 * Exactly one path segment: `/` is encoded, and segments that a server or proxy would resolve away (empty, `.`, `..`)
 * are rejected before any request. `@` isn't encoded, as in the service's own URLs.
 */
export function encodeSegment(value: string, label: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw invalid(`The ${label} can't be ${value === '' ? 'empty' : `"${value}"`}.`);
  }
  return encodeText(value, label).replaceAll('%40', '@');
}

export function encodeText(value: string, label: string): string {
  if (!value.isWellFormed()) throw invalid(`The ${label} isn't valid Unicode.`);
  if (value.includes('\0')) throw invalid(`The ${label} can't contain a null character.`);
  return encodeURIComponent(value);
}

function invalid(message: string): ExchangeError {
  return new ExchangeError('invalid-input', message);
}
