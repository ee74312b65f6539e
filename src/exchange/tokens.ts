import { createLimiter } from '../lib/limiter.ts';

/** A CSRF token and its last successful use. The token expires 15 minutes after its last use. */
export interface StoredToken {
  value: string;
  lastUsed: number;
}

/**
 * Stores tokens, so that all callers of an account share one: the service allows 60 per user. A store in the database
 * shares them across all processes.
 */
export interface TokenStore {
  read(account: string): Promise<StoredToken | undefined>;
  write(account: string, token: StoredToken): Promise<void>;
  /** Records a later use of a token, unless it was replaced or a later use is recorded. */
  recordUse(account: string, token: StoredToken): Promise<void>;
  /** Runs one `work` at a time for an account. */
  exclusively<T>(account: string, work: () => Promise<T>): Promise<T>;
}

export function isLaterUse(token: StoredToken, stored: StoredToken | undefined): boolean {
  return stored?.value === token.value && stored.lastUsed < token.lastUsed;
}

export function createMemoryTokens(): TokenStore {
  const tokens = new Map<string, StoredToken>();
  const limiter = createLimiter(1);
  return {
    read: async (account) => tokens.get(account),
    write: async (account, token) => {
      tokens.set(account, token);
    },
    recordUse: async (account, token) => {
      if (isLaterUse(token, tokens.get(account))) tokens.set(account, token);
    },
    exclusively: limiter.run,
  };
}

export interface CallToken extends StoredToken {
  /** Whether the token was fetched for this call. If so, a refusal isn't due to its age. */
  fresh: boolean;
}

export interface TokenKeeperOptions {
  store: TokenStore;
  account: string;
  lifeMs: number;
  clock: () => number;
  fetch: () => Promise<string>;
}

export function createTokenKeeper({ store, account, lifeMs, clock, fetch }: TokenKeeperOptions) {
  let renewing: Promise<CallToken> | undefined;
  // `lastUsed` can be in the future, if clocks differ or ours was set back. If it is too far ahead, it says nothing
  // about the token's age, so the token isn't used either.
  const isAlive = (token: StoredToken) => Math.abs(clock() - token.lastUsed) < lifeMs;

  async function readStored(except?: string): Promise<CallToken | undefined> {
    const token = await store.read(account);
    return token !== undefined && token.value !== except && isAlive(token) ? { ...token, fresh: false } : undefined;
  }

  async function fetchAndStore(): Promise<StoredToken> {
    const lastUsed = clock();
    const token = { value: await fetch(), lastUsed };
    await store.write(account, token);
    return token;
  }

  function fetchOnce(refused: string | undefined): Promise<CallToken> {
    renewing ??= store
      .exclusively(account, async () => {
        // During the wait, another caller or process might have renewed it.
        const renewed = await readStored(refused);
        if (renewed !== undefined) return renewed;
        return { ...(await fetchAndStore()), fresh: true };
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  }

  async function renew(refused?: string): Promise<CallToken> {
    const token = await fetchOnce(refused);
    // If a renewal was already running, it can return the refused token.
    return token.value === refused ? fetchOnce(refused) : token;
  }

  return {
    /** Returns a token that should still be valid. Asks the service only if no such token is stored. */
    getCurrent: async (): Promise<CallToken> => (await readStored()) ?? renew(),
    /** Returns a token other than the refused one. Concurrent callers share one fetch. */
    renew,
    /** Fetches a new token even if one is stored or being renewed. This verifies address, account and key. */
    async fetchNew(): Promise<void> {
      await store.exclusively(account, fetchAndStore);
    },
    /** Records a successful use, which extends the token's life. */
    async recordUse(token: CallToken, at: number): Promise<void> {
      if (at - token.lastUsed < lifeMs / 3) return; // avoids a write for every call
      await store.recordUse(account, { value: token.value, lastUsed: at });
    },
  };
}
