/** A CSRF token and its last successful use. The service forgets it 15 minutes after that. */
export interface StoredToken {
  value: string;
  lastUsed: number;
}

/**
 * Stores tokens, so that all callers of an account share one; the service allows 60 per user. With a database behind
 * it, the whole deployment shares one.
 */
export interface TokenStore {
  read(account: string): Promise<StoredToken | undefined>;
  write(account: string, token: StoredToken): Promise<void>;
  /** Runs one `work` at a time for an account. */
  exclusively<T>(account: string, work: () => Promise<T>): Promise<T>;
}

export function createMemoryTokens(): TokenStore {
  const tokens = new Map<string, StoredToken>();
  const queues = new Map<string, Promise<unknown>>();
  return {
    read: async (account) => tokens.get(account),
    write: async (account, token) => {
      tokens.set(account, token);
    },
    exclusively(account, work) {
      const before = queues.get(account) ?? Promise.resolve();
      const mine = before.then(work);
      // The next caller waits until mine ends, even if it fails.
      const ended = mine.catch(() => undefined);
      queues.set(account, ended);
      ended.then(() => queues.get(account) === ended && queues.delete(account));
      return mine;
    },
  };
}

export interface TokenInHand extends StoredToken {
  /** Fetched for this call: if it is refused, its age isn't the reason. */
  fresh: boolean;
}

export interface TokenKeeper {
  /** A token that should still be valid. The service isn't asked. */
  current(): Promise<TokenInHand>;
  /** A token other than the refused one. Concurrent callers share one fetch. */
  renew(refused?: string): Promise<TokenInHand>;
  /** Fetches a new token despite a stored one or a running renewal: verifies address, account and key. */
  fetchNew(): Promise<void>;
  /** Records a successful use, which extends the token's life. */
  used(token: TokenInHand, at: number): Promise<void>;
}

export interface TokenKeeperOptions {
  store: TokenStore;
  account: string;
  lifeMs: number;
  clock: () => number;
  fetch: () => Promise<string>;
}

export function createTokenKeeper({ store, account, lifeMs, clock, fetch }: TokenKeeperOptions): TokenKeeper {
  let renewing: Promise<TokenInHand> | undefined;
  // A lastUsed in the future comes from another process's clock, or ours was set back. Beyond `lifeMs` it's ignored.
  const alive = (token: StoredToken) => Math.abs(clock() - token.lastUsed) < lifeMs;

  async function kept(except?: string): Promise<TokenInHand | undefined> {
    const token = await store.read(account);
    return token !== undefined && token.value !== except && alive(token) ? { ...token, fresh: false } : undefined;
  }

  async function fetchAndKeep(): Promise<StoredToken> {
    const lastUsed = clock();
    const token = { value: await fetch(), lastUsed };
    await store.write(account, token);
    return token;
  }

  function fetchOnce(refused: string | undefined): Promise<TokenInHand> {
    renewing ??= store
      .exclusively(account, async () => {
        // Another caller or process can have renewed it while we waited.
        const renewed = await kept(refused);
        if (renewed !== undefined) return renewed;
        return { ...(await fetchAndKeep()), fresh: true };
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  }

  async function renew(refused?: string): Promise<TokenInHand> {
    const token = await fetchOnce(refused);
    // A renewal that was already running can return the token that was refused since.
    return token.value === refused ? fetchOnce(refused) : token;
  }

  return {
    current: async () => (await kept()) ?? renew(),
    renew,
    async fetchNew() {
      await store.exclusively(account, fetchAndKeep);
    },
    async used(token, at) {
      if (at - token.lastUsed < lifeMs / 10) return; // avoids a write for every call
      const now = await store.read(account);
      if (now?.value === token.value && now.lastUsed < at)
        await store.write(account, { value: token.value, lastUsed: at });
    },
  };
}
