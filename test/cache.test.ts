import { expect, test, vi } from 'vitest';
import { createCache } from '../src/lib/cache.ts';

/** Loads that the test resolves or fails. */
function createLoads() {
  const loads: { answer(value: string): void; fail(): void }[] = [];
  const load = () =>
    new Promise<string>((answer, reject) => {
      loads.push({ answer, fail: () => reject(new Error('no answer')) });
    });
  return { loads, load };
}

test('the cache reloads a fresh value only if a caller renews it', async () => {
  const cache = createCache<string>({ ttlMs: 60_000, maxEntries: 5 });
  expect(await cache.get('a', async () => 'one')).toBe('one');
  expect(await cache.get('a', async () => 'two')).toBe('one');
  expect(await cache.renew('a', async () => 'two')).toBe('two');
  expect(await cache.get('a', async () => 'three')).toBe('two');
});

test('getStale waits for the first load, then serves the stale value during one reload', async () => {
  const cache = createCache<string>({ ttlMs: 0, maxEntries: 5 });
  const { loads, load } = createLoads();
  const first = [cache.getStale('a', load), cache.getStale('a', load)];
  loads[0]?.answer('one');
  expect(await Promise.all(first)).toEqual(['one', 'one']);
  expect(loads).toHaveLength(1);
  expect(await cache.getStale('a', load)).toBe('one');
  expect(await cache.getStale('a', load)).toBe('one');
  expect(loads).toHaveLength(2);
  loads[1]?.answer('two');
  await new Promise(setImmediate);
  expect(await cache.getStale('a', load)).toBe('two');
});

test('a failed load rejects its get(), but getStale() still serves the last value', async () => {
  const cache = createCache<string>({ ttlMs: 0, maxEntries: 5 });
  const { loads, load } = createLoads();
  await cache.get('a', async () => 'one');
  const waiting = cache.get('a', load);
  loads[0]?.fail();
  await expect(waiting).rejects.toThrow('no answer');
  expect(await cache.getStale('a', load)).toBe('one');
  expect(loads).toHaveLength(2);
  loads[1]?.fail();
  await new Promise(setImmediate);
  expect(await cache.get('a', async () => 'three')).toBe('three');
});

test('the cache reloads a deleted value, and evicts the oldest one over maxEntries', async () => {
  const cache = createCache<string>({ ttlMs: 60_000, maxEntries: 2 });
  await cache.get('a', async () => 'one');
  cache.delete('a');
  expect(await cache.getStale('a', async () => 'two')).toBe('two');
  await cache.get('b', async () => 'b');
  await cache.get('c', async () => 'c');
  expect(await cache.getStale('a', async () => 'three')).toBe('three');
});

test('while a load runs, renewals wait for it and then share a second load', async () => {
  const cache = createCache<string>({ ttlMs: 60_000, maxEntries: 5 });
  const { loads, load } = createLoads();
  const pending = cache.get('a', load);
  const renewals = [cache.renew('a', load), cache.renew('a', load), cache.renew('a', load)];
  expect(loads).toHaveLength(1);
  loads[0]?.answer('before the change');
  expect(await pending).toBe('before the change');
  expect(loads).toHaveLength(2);
  loads[1]?.answer('after it');
  expect(await Promise.all(renewals)).toEqual(['after it', 'after it', 'after it']);
  expect(await cache.get('a', load)).toBe('after it');
  expect(loads).toHaveLength(2);
});

test('a value that is deleted while it loads is loaded again', async () => {
  const cache = createCache<string>({ ttlMs: 60_000, maxEntries: 5 });
  const { loads, load } = createLoads();
  const pending = cache.get('a', load);
  cache.delete('a');
  const next = [cache.get('a', load), cache.getStale('a', load)];
  expect(loads).toHaveLength(1);
  loads[0]?.fail();
  await expect(pending).rejects.toThrow('no answer');
  expect(loads).toHaveLength(2);
  loads[1]?.answer('new');
  expect(await Promise.all(next)).toEqual(['new', 'new']);
  expect(await cache.get('a', load)).toBe('new');
});

test('above the maximum total weight, the heaviest value is evicted first', async () => {
  const cache = createCache<string>({
    ttlMs: 60_000,
    maxEntries: 5,
    weight: { maxTotal: 10, of: ({ length }) => length },
  });
  await cache.get('a', async () => 'four');
  await cache.get('b', async () => 'sixsix');
  await cache.get('c', async () => 'one');
  expect(await cache.get('a', async () => 'new')).toBe('four');
  expect(await cache.get('c', async () => 'new')).toBe('one');
  expect(await cache.get('b', async () => 'new')).toBe('new');
  expect(await cache.get('d', async () => 'more than ten')).toBe('more than ten');
  expect(await cache.getStale('d', async () => 'new')).toBe('new');
});

test('the cache stores undefined like any other value', async () => {
  const cache = createCache<string | undefined>({ ttlMs: 60_000, maxEntries: 5 });
  expect(await cache.get('a', async () => undefined)).toBeUndefined();
  expect(await cache.get('a', async () => 'loaded again')).toBeUndefined();
  expect(await cache.getStale('a', async () => 'loaded again')).toBeUndefined();
});

test('no waiting call fails if a key is deleted or the cache fills up during a load', async () => {
  const cache = createCache<string>({ ttlMs: 60_000, maxEntries: 1 });
  const { loads, load } = createLoads();
  const waiting = [cache.get('a', load), cache.getStale('a', load), cache.get('b', load)];
  cache.delete('a');
  for (const key of ['c', 'd']) await cache.get(key, async () => key);
  for (const [index, { answer }] of loads.entries()) answer(`answer ${index}`);
  expect(await Promise.all(waiting)).toEqual(['answer 0', 'answer 0', 'answer 1']);
});

test("the cache doesn't store the value of a load that deletes its own key", async () => {
  const cache = createCache<string>({ ttlMs: 60_000, maxEntries: 5 });
  const deletingLoad = async () => {
    await new Promise(setImmediate);
    cache.delete('a');
    return 'one';
  };
  expect(await Promise.all([cache.get('a', deletingLoad), cache.get('a', deletingLoad)])).toEqual(['one', 'one']);
  expect(await cache.get('a', async () => 'two')).toBe('two');
});

test("after a failed renewal, the cache doesn't serve the old value", async () => {
  const cache = createCache<string>({ ttlMs: 60_000, maxEntries: 5 });
  await cache.get('a', async () => 'one');
  await expect(cache.renew('a', () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
  expect(await cache.get('a', async () => 'two')).toBe('two');
});

test('each call of the cache uses the loader passed to that call', async () => {
  const cache = createCache<string>({ ttlMs: 60_000, maxEntries: 5 });
  expect(await cache.get('a', async () => 'one')).toBe('one');
  expect(await cache.get('b', async () => 'two')).toBe('two');
  cache.delete('a');
  expect(await cache.get('a', async () => 'three')).toBe('three');
});

test('a value older than maxAgeMs is never served, not even by getStale', async () => {
  const cache = createCache<string>({ ttlMs: 0, maxAgeMs: 0, maxEntries: 5 });
  await cache.get('a', async () => 'one');
  expect(await cache.getStale('a', async () => 'two')).toBe('two');
});

test('a value that was loaded before the clock was set back is loaded again', async () => {
  const cache = createCache<string>({ ttlMs: 60_000, maxEntries: 5 });
  expect(await cache.get('a', async () => 'one')).toBe('one');
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now - 3_600_000);
  try {
    expect(await cache.get('a', async () => 'two')).toBe('two');
  } finally {
    clock.mockRestore();
  }
});
