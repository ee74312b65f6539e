import { expect, onTestFinished, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('many requests for /readyz share a database query', async () => {
  const { url, services } = await setUpApp(postgres, { connected: false });
  const { pool } = services.store;
  let taken = 0;
  const count = () => void taken++;
  pool.on('acquire', count);
  onTestFinished(() => void pool.off('acquire', count));
  const answers = await Promise.all(Array.from({ length: 200 }, () => fetch(`${url}/readyz`)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  // The worker asks the database, too.
  expect(taken).toBeLessThan(100);
});

test('a person who writes many messages to the bot is answered once', async () => {
  const { bo, anna, slack, atRest } = await setUpApp(postgres);
  const answersTo = (id: string) =>
    slack.calls.filter(
      ({ method, arguments: { text, channel } }) =>
        method === 'chat.postMessage' && channel === id && String(text).startsWith('I do not read messages'),
    );
  for (const person of [bo, anna]) {
    await person.opens('Dropline');
    for (const text of ['hello', 'are you there?', 'hello!']) await person.types(text);
    await person.sees('I do not read messages');
  }
  await atRest();
  expect([bo, anna].map(({ id }) => answersTo(id).length)).toEqual([1, 1]);
});
