import { expect, test } from 'vitest';
import { keepAnswers } from '../src/kept.ts';

/** Answers that come when they are told to. */
function questions() {
  const asked: { answer(value: string): void; fail(): void }[] = [];
  const ask = () =>
    new Promise<string>((answer, reject) => {
      asked.push({ answer, fail: () => reject(new Error('no answer')) });
    });
  return { asked, ask };
}

test('an answer that is good is not asked for again, unless it is renewed', async () => {
  const kept = keepAnswers<string>({ lifeMs: 60_000, most: 5 });
  expect(await kept.get('a', async () => 'one')).toBe('one');
  expect(await kept.get('a', async () => 'two')).toBe('one');
  expect(await kept.renew('a', async () => 'two')).toBe('two');
  expect(await kept.get('a', async () => 'three')).toBe('two');
});

test('a glance waits for the first answer, then takes the last one while a new one is asked for once', async () => {
  const kept = keepAnswers<string>({ lifeMs: 0, most: 5 });
  const { asked, ask } = questions();
  const first = [kept.glance('a', ask), kept.glance('a', ask)];
  asked[0]?.answer('one');
  expect(await Promise.all(first)).toEqual(['one', 'one']);
  expect(asked).toHaveLength(1);
  expect(await kept.glance('a', ask)).toBe('one');
  expect(await kept.glance('a', ask)).toBe('one');
  expect(asked).toHaveLength(2);
  asked[1]?.answer('two');
  await new Promise(setImmediate);
  expect(await kept.glance('a', ask)).toBe('two');
});

test('a failure leaves the last answer to those who glance, and is told to those who wait', async () => {
  const kept = keepAnswers<string>({ lifeMs: 0, most: 5 });
  const { asked, ask } = questions();
  await kept.get('a', async () => 'one');
  const waiting = kept.get('a', ask);
  asked[0]?.fail();
  await expect(waiting).rejects.toThrow('no answer');
  expect(await kept.glance('a', ask)).toBe('one');
  expect(asked).toHaveLength(2);
  asked[1]?.fail();
  await new Promise(setImmediate);
  expect(await kept.get('a', async () => 'three')).toBe('three');
});

test('what is forgotten is waited for, and the oldest of too many is forgotten', async () => {
  const kept = keepAnswers<string>({ lifeMs: 60_000, most: 2 });
  await kept.get('a', async () => 'one');
  kept.forget('a');
  expect(await kept.glance('a', async () => 'two')).toBe('two');
  await kept.get('b', async () => 'b');
  await kept.get('c', async () => 'c');
  expect(await kept.glance('a', async () => 'three')).toBe('three');
});

test('renewals while an answer is pending share the next read, which begins after it', async () => {
  const kept = keepAnswers<string>({ lifeMs: 60_000, most: 5 });
  const { asked, ask } = questions();
  const pending = kept.get('a', ask);
  const renewals = [kept.renew('a', ask), kept.renew('a', ask), kept.renew('a', ask)];
  expect(asked).toHaveLength(1);
  asked[0]?.answer('before the change');
  expect(await pending).toBe('before the change');
  expect(asked).toHaveLength(2);
  asked[1]?.answer('after it');
  expect(await Promise.all(renewals)).toEqual(['after it', 'after it', 'after it']);
  expect(await kept.get('a', ask)).toBe('after it');
  expect(asked).toHaveLength(2);
});

test('what is forgotten while it is pending is read again, after that read', async () => {
  const kept = keepAnswers<string>({ lifeMs: 60_000, most: 5 });
  const { asked, ask } = questions();
  const pending = kept.get('a', ask);
  kept.forget('a');
  const next = [kept.get('a', ask), kept.glance('a', ask)];
  expect(asked).toHaveLength(1);
  asked[0]?.fail();
  await expect(pending).rejects.toThrow('no answer');
  expect(asked).toHaveLength(2);
  asked[1]?.answer('new');
  expect(await Promise.all(next)).toEqual(['new', 'new']);
  expect(await kept.get('a', ask)).toBe('new');
});

test('of answers that weigh too much together, the heaviest goes first', async () => {
  const kept = keepAnswers<string>({ lifeMs: 60_000, most: 5, weight: { most: 10, of: ({ length }) => length } });
  await kept.get('a', async () => 'four');
  await kept.get('b', async () => 'sixsix');
  await kept.get('c', async () => 'one');
  expect(await kept.get('a', async () => 'new')).toBe('four');
  expect(await kept.get('c', async () => 'new')).toBe('one');
  expect(await kept.get('b', async () => 'new')).toBe('new');
  expect(await kept.get('d', async () => 'more than ten')).toBe('more than ten');
  expect(await kept.glance('d', async () => 'new')).toBe('new');
});

test('an answer that is too old is not shown, not even at a glance', async () => {
  const kept = keepAnswers<string>({ lifeMs: 0, oldMs: 0, most: 5 });
  await kept.get('a', async () => 'one');
  expect(await kept.glance('a', async () => 'two')).toBe('two');
});
