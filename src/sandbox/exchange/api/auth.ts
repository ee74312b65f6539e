import { createHash, timingSafeEqual } from 'node:crypto';
import type { Account } from '../state/model.ts';
import { Refusal } from '../state/refusal.ts';

/** Returns the account of this path. Refuses a request without that account's credentials. */
export function authenticate(
  accounts: ReadonlyMap<string, Account>,
  pathUser: string,
  authorization: string | undefined,
): Account {
  const credentials = parseBasic(authorization);
  if (!credentials) throw unauthorised('Basic credentials are needed');
  const account = accounts.get(credentials.user);
  // The same message for an unknown user and a wrong key, so that users can't be enumerated.
  if (!account || !isEqual(account.apiKey, credentials.key)) throw unauthorised('the user or the key is wrong');
  if (pathUser !== account.user) throw unauthorised("the path is another user's");
  return account;
}

function parseBasic(header: string | undefined): { user: string; key: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1];
  if (!encoded || encoded.length % 4 !== 0) return undefined;
  const text = decode(Buffer.from(encoded, 'base64'));
  const colon = text?.indexOf(':') ?? -1;
  // The key can contain colons, the user can't, so the first colon separates them.
  return text === undefined || colon < 0 ? undefined : { user: text.slice(0, colon), key: text.slice(colon + 1) };
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function unauthorised(message: string): Refusal {
  return new Refusal(401, message, { 'WWW-Authenticate': 'Basic realm="File exchange", charset="UTF-8"' });
}
