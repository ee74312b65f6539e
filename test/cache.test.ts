import { expect, test } from 'vitest';
import { createCache } from '../src/cache.ts';

/** Loads that resolve or fail when the test says so. */
function questions() {
  const asked: { answer(value: string): void; fail(): void }[] = [];
  const ask = () =>
    new Promise<string>((answer, reject) => {
      asked.push({ answer, fail: () => reject(new Error('no answer')) });
    });
  return { asked, ask };
}

test('a fresh value is not loaded again unless it is renewed', async () => {
  const cache = createCache<string>({ lifeMs: 60_000, most: 5 });
  expect(await cache.get('a', async () => 'one')).toBe('one');
  expect(await cache.get('a', async () => 'two')).toBe('one');
  expect(await cache.renew('a', async () => 'two')).toBe('two');
  expect(await cache.get('a', async () => 'three')).toBe('two');
});

test('getStale waits for the first load, then serves stale during one reload', async () => {
  const cache = createCache<string>({ lifeMs: 0, most: 5 });
  const { asked, ask } = questions();
  const first = [cache.getStale('a', ask), cache.getStale('a', ask)];
  asked[0]?.answer('one');
  expect(await Promise.all(first)).toEqual(['one', 'one']);
  expect(asked).toHaveLength(1);
  expect(await cache.getStale('a', ask)).toBe('one');
  expect(await cache.getStale('a', ask)).toBe('one');
  expect(asked).toHaveLength(2);
  asked[1]?.answer('two');
  await new Promise(setImmediate);
  expect(await cache.getStale('a', ask)).toBe('two');
});

test('after a failed load, get rejects and getStale serves the last value', async () => {
  const cache = createCache<string>({ lifeMs: 0, most: 5 });
  const { asked, ask } = questions();
  await cache.get('a', async () => 'one');
  const waiting = cache.get('a', ask);
  asked[0]?.fail();
  await expect(waiting).rejects.toThrow('no answer');
  expect(await cache.getStale('a', ask)).toBe('one');
  expect(asked).toHaveLength(2);
  asked[1]?.fail();
  await new Promise(setImmediate);
  expect(await cache.get('a', async () => 'three')).toBe('three');
});

test('a forgotten value is loaded again; the oldest of too many is evicted', async () => {
  const cache = createCache<string>({ lifeMs: 60_000, most: 2 });
  await cache.get('a', async () => 'one');
  cache.delete('a');
  expect(await cache.getStale('a', async () => 'two')).toBe('two');
  await cache.get('b', async () => 'b');
  await cache.get('c', async () => 'c');
  expect(await cache.getStale('a', async () => 'three')).toBe('three');
});

test('renewals during a load share the next load, which starts after it', async () => {
  const cache = createCache<string>({ lifeMs: 60_000, most: 5 });
  const { asked, ask } = questions();
  const pending = cache.get('a', ask);
  const renewals = [cache.renew('a', ask), cache.renew('a', ask), cache.renew('a', ask)];
  expect(asked).toHaveLength(1);
  asked[0]?.answer('before the change');
  expect(await pending).toBe('before the change');
  expect(asked).toHaveLength(2);
  asked[1]?.answer('after it');
  expect(await Promise.all(renewals)).toEqual(['after it', 'after it', 'after it']);
  expect(await cache.get('a', ask)).toBe('after it');
  expect(asked).toHaveLength(2);
});

test('a value forgotten during its load is loaded again after that load', async () => {
  const cache = createCache<string>({ lifeMs: 60_000, most: 5 });
  const { asked, ask } = questions();
  const pending = cache.get('a', ask);
  cache.delete('a');
  const next = [cache.get('a', ask), cache.getStale('a', ask)];
  expect(asked).toHaveLength(1);
  asked[0]?.fail();
  await expect(pending).rejects.toThrow('no answer');
  expect(asked).toHaveLength(2);
  asked[1]?.answer('new');
  expect(await Promise.all(next)).toEqual(['new', 'new']);
  expect(await cache.get('a', ask)).toBe('new');
});

test('over the total weight, the heaviest value is evicted first', async () => {
  const cache = createCache<string>({ lifeMs: 60_000, most: 5, weight: { most: 10, of: ({ length }) => length } });
  await cache.get('a', async () => 'four');
  await cache.get('b', async () => 'sixsix');
  await cache.get('c', async () => 'one');
  expect(await cache.get('a', async () => 'new')).toBe('four');
  expect(await cache.get('c', async () => 'new')).toBe('one');
  expect(await cache.get('b', async () => 'new')).toBe('new');
  expect(await cache.get('d', async () => 'more than ten')).toBe('more than ten');
  expect(await cache.getStale('d', async () => 'new')).toBe('new');
});

test('a value older than oldMs is never served, not even by getStale', async () => {
  const cache = createCache<string>({ lifeMs: 0, oldMs: 0, most: 5 });
  await cache.get('a', async () => 'one');
  expect(await cache.getStale('a', async () => 'two')).toBe('two');
});
