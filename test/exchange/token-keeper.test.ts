import { expect, test } from 'vitest';
import { createMemoryTokens } from '../../src/exchange/index.ts';
import { createTokenKeeper, type TokenStore } from '../../src/exchange/tokens.ts';
import { createClock } from '../helpers/exchange.ts';

function keeperOf(store: TokenStore = createMemoryTokens()) {
  const clock = createClock();
  let fetched = 0;
  const fetch = async () => {
    fetched += 1;
    clock.advance(10);
    return `t${fetched}`;
  };
  return { keeper: createTokenKeeper({ store, account: 'a', lifeMs: 1000, clock, fetch }), store, clock };
}

test('the lifetime of a token starts when the request for the token is sent', async () => {
  const { keeper, clock } = keeperOf();
  const startedAt = clock();
  expect(await keeper.getCurrent()).toMatchObject({ value: 't1', lastUsed: startedAt, fresh: true });
});

test('a token whose last use is far in the future is not used', async () => {
  const { keeper, store, clock } = keeperOf();
  await store.write('a', { value: 'old', lastUsed: clock() + 5000 });
  expect((await keeper.getCurrent()).value).toBe('t1');
});

test("a running renewal that returns the refused token isn't reused", async () => {
  const { keeper } = keeperOf();
  const [, second] = await Promise.all([keeper.renew(), keeper.renew('t1')]);
  expect(second.value).toBe('t2');
});

test('fetchNew uses neither the stored token nor a running renewal', async () => {
  const { keeper, store } = keeperOf();
  await keeper.getCurrent();
  await Promise.all([keeper.renew('t1'), keeper.fetchNew()]);
  expect(await store.read('a')).toMatchObject({ value: 't3' });
});

test('the use of a token is recorded only after a third of its lifetime', async () => {
  const memory = createMemoryTokens();
  let recorded = 0;
  const counting: TokenStore = {
    ...memory,
    recordUse: (account, token) => {
      recorded += 1;
      return memory.recordUse(account, token);
    },
  };
  const { keeper, clock } = keeperOf(counting);
  const token = await keeper.getCurrent();
  for (let use = 0; use < 20; use += 1) {
    clock.advance(10);
    await keeper.recordUse(token, clock());
  }
  expect(recorded).toBe(0);
  clock.advance(200);
  await keeper.recordUse(token, clock());
  expect(recorded).toBe(1);
});

test('recording an old use overwrites neither a newer token nor a newer use', async () => {
  const { keeper, store, clock } = keeperOf();
  const token = await keeper.getCurrent();
  const at = clock() + 200;
  for (const newer of [
    { value: 'newer', lastUsed: at },
    { value: token.value, lastUsed: at + 300 },
  ]) {
    await store.write('a', newer);
    await keeper.recordUse(token, at);
    expect(await store.read('a')).toEqual(newer);
  }
});
