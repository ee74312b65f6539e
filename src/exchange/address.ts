import { ExchangeError } from './errors.ts';

/** One account on one service: where its requests go. */
export interface Account {
  /**
   * Address and lower-case user. Stored rows are keyed by it, so it keeps the path as it was entered (`/ex`, `//ex`).
   * `accountName` is the same for all spellings.
   */
  id: string;
  origin: string;
  /** `/base/user/`, encoded, with the trailing slash that the service requires. */
  path: string;
  user: string;
}

export function parseAccount(baseUrl: string, username: string): Account {
  const base = parseServiceAddress(baseUrl);
  const user = username.trim().toLowerCase();
  if (user.includes(':')) {
    // In Basic authentication, the first colon ends the user name and starts the key.
    throw invalid("The account can't contain a colon.");
  }
  if (/\p{Cc}/u.test(user)) throw invalid("The account can't contain control characters.");
  const path = `${base.pathname.replace(/\/+$/, '')}/${encodeSegment(user, 'account')}`;
  return {
    // Encoded, because a name can contain a slash, and two accounts must not share an id.
    id: `${base.origin}${path}`,
    origin: base.origin,
    path: `${path}/`,
    user,
  };
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

/** The canonical spelling of an address: no empty segments, only necessary encoding. */
export function canonicalAddress(address: string): string {
  return mapSegments(address, (segment) => encodeSegment(decodeSegment(segment), 'service URL'));
}

/** The name of an account for locks and tokens: the canonical spelling of its id. */
export function accountName(id: string): string {
  return mapSegments(id, (segment) => {
    try {
      return encodeSegment(decodeURIComponent(segment), 'service URL');
    } catch {
      return segment;
    }
  });
}

function mapSegments(address: string, mapSegment: (segment: string) => string): string {
  const { origin, pathname } = parseServiceAddress(address);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  return [origin, ...segments.map(mapSegment)].join('/');
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
