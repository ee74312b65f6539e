/** A CSRF token and when it was last used with success: the service forgets it 15 minutes after that. */
export interface StoredToken {
  value: string;
  lastUsed: number;
}

/**
 * Where tokens are kept, so that all who work for an account share one. The service allows 60 per user. An
 * implementation over a database makes it one for the whole deployment.
 */
export interface TokenStore {
  read(account: string): Promise<StoredToken | undefined>;
  write(account: string, token: StoredToken): Promise<void>;
  /** Runs `work` while nobody else runs theirs for the same account. */
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
      // The next in line waits for the end of mine, not for its success.
      const ended = mine.catch(() => undefined);
      queues.set(account, ended);
      ended.then(() => queues.get(account) === ended && queues.delete(account));
      return mine;
    },
  };
}

export interface TokenInHand extends StoredToken {
  /** Fetched while the call waited for it: if it is refused, its age is not the reason. */
  fresh: boolean;
}

export interface TokenKeeper {
  /** A token that is alive, as far as anybody can tell without asking. */
  current(): Promise<TokenInHand>;
  /** Another token than the one that was refused; fetched by one caller at a time, however many wait. */
  renew(refused?: string): Promise<TokenInHand>;
  /** A token from the page as it is now, whatever is kept or under way: proves address, account and key. */
  fetchAnew(): Promise<void>;
  /** Notes a valid use, which prolongs the token's life. */
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
  // A lastUsed in the future is another process's clock, or ours was set back; beyond a life's length it means nothing.
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
        // Somebody else, here or in another process, may have renewed it while we waited.
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
    // A renewal that was already under way may have brought the very token that was refused since.
    return token.value === refused ? fetchOnce(refused) : token;
  }

  return {
    current: async () => (await kept()) ?? renew(),
    renew,
    async fetchAnew() {
      await store.exclusively(account, fetchAndKeep);
    },
    async used(token, at) {
      if (at - token.lastUsed < lifeMs / 10) return; // one write in a while, not one a call
      const now = await store.read(account);
      if (now?.value === token.value && now.lastUsed < at)
        await store.write(account, { value: token.value, lastUsed: at });
    },
  };
}
