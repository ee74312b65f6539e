import { ExchangeError } from './errors.ts';

/** One account on one service: where its requests go. */
export interface Account {
  /** Address and lower-case user. Stored rows are keyed by it, so it never changes, whatever its spelling. */
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
    // Basic authentication ends the user at the first colon: the rest would be taken for the key.
    throw invalid('The account name must not contain a colon.');
  }
  if (/\p{Cc}/u.test(user)) throw invalid('The account name must not contain control characters.');
  const path = `${base.pathname.replace(/\/+$/, '')}/${encodeSegment(user, 'account name')}`;
  return {
    // Encoded, so that no two accounts have one id: a slash may be part of a name.
    id: `${base.origin}${path}`,
    origin: base.origin,
    path: `${path}/`,
    user,
  };
}

export function parseServiceAddress(address: string): URL {
  const text = address.trim();
  if (!URL.canParse(text)) {
    throw invalid('The service address is not a web address. It looks like https://files.example.com/exchange.');
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalid('The service address must begin with https://.');
  }
  if (url.username || url.password) throw invalid('The service address must not contain a user name or password.');
  if (url.search || url.hash || /[?#]$/.test(text)) {
    throw invalid('The service address must end before any "?" or "#".');
  }
  // The same host, written as a full domain name.
  url.hostname = url.hostname.replace(/\.$/, '');
  return url;
}

/** The one spelling of an address: no empty segment, and encoded only what must be. Other spellings have other ids. */
export function plainAddress(address: string): string {
  return respelled(address, (segment) => encodeSegment(decoded(segment), 'service address'));
}

/** What locks and tokens are named by: the same for every spelling of an account's id, and the id itself if that is plain. */
export function accountName(id: string): string {
  return respelled(id, (segment) => {
    try {
      return encodeSegment(decodeURIComponent(segment), 'service address');
    } catch {
      return segment;
    }
  });
}

function respelled(address: string, respell: (segment: string) => string): string {
  const { origin, pathname } = parseServiceAddress(address);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  return [origin, ...segments.map(respell)].join('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid('The service address has an invalid "%" sequence.');
  }
}

/**
 * One segment of a path, and never more than one: `/` is encoded, and what a server or proxy would resolve away (empty,
 * `.`, `..`) is refused before a request is made. `@` stays, as the service's own addresses show it.
 */
export function encodeSegment(value: string, what: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw invalid(`The ${what} must not be ${value === '' ? 'empty' : `"${value}"`}.`);
  }
  return encodeText(value, what).replaceAll('%40', '@');
}

export function encodeText(value: string, what: string): string {
  if (!value.isWellFormed()) throw invalid(`The ${what} is not valid Unicode.`);
  if (value.includes('\0')) throw invalid(`The ${what} must not contain a null character.`);
  return encodeURIComponent(value);
}

function invalid(message: string): ExchangeError {
  return new ExchangeError('invalid-input', message);
}
