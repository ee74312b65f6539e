import { randomBytes } from 'node:crypto';
import type { Account, Behaviour } from './model.ts';
import { Refusal } from './refusal.ts';

export function issueToken(account: Account, now: number, behaviour: Behaviour): string {
  removeExpired(account, now, behaviour);
  while (account.tokens.length >= behaviour.tokenLimit) {
    if (behaviour.tokenOverflow === 'refuse') throw new Refusal(429, 'this user has too many tokens');
    // 'Oldest' could mean issued first or used longest ago. Dropping the first issued is stricter: it can be in use.
    account.tokens.shift();
  }
  const value = randomBytes(32).toString('base64');
  account.tokens.push({ value, lastUsed: now });
  return value;
}

/** Refuses anything but a valid token of this account, and extends a valid one. */
export function useToken(account: Account, value: string | undefined, now: number, behaviour: Behaviour): void {
  removeExpired(account, now, behaviour);
  if (!value) throw new Refusal(403, 'a CSRF token is needed');
  const token = account.tokens.find((token) => token.value === value);
  if (!token) throw invalidToken();
  token.lastUsed = now;
}

export function invalidToken(): Refusal {
  return new Refusal(403, 'the CSRF token is invalid or expired');
}

function removeExpired(account: Account, now: number, behaviour: Behaviour): void {
  account.tokens = account.tokens.filter((token) => now - token.lastUsed < behaviour.tokenLifeMs);
}
