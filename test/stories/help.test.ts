import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('the bot answers the message "help" in a DM, with or without a topic', async () => {
  const { bo } = await setUpApp(postgres);
  await bo.opens('Dropline');
  await bo.types('hello');
  await bo.sees('Type help, or send me a file.');
  await bo.types('Help!');
  await bo.sees('/drop contacts [name]');
  await bo.sees('[Send files]');
  await bo.types('help inbox');
  await bo.sees(/\[Send files\][\s\S]*\/drop inbox \[words\] View files you've received/);
});

test('the bot answers a message in a thread in that thread', async () => {
  const { bo, acme, untilIdle } = await setUpApp(postgres);
  await bo.opens('Dropline');
  await bo.sees('Hello!');
  for (const text of ['thank you', 'help']) await bo.types(text, { thread: 'Hello!' });
  await bo.sees('/drop contacts [name]');
  await bo.sees('Type help, or send me a file.');
  await untilIdle();
  const dm = acme.channels.find(({ messages }) => messages.some(({ text }) => text.startsWith('Hello!')));
  const [first, ...replies] = dm?.messages ?? [];
  expect(replies.map(({ threadTs }) => threadTs)).toEqual(Array(4).fill(first?.ts));
});

test("the aliases of send and recipients are accepted, and the help doesn't list them", async () => {
  const { bo } = await setUpApp(postgres);
  await bo.types('/drop receivers', { in: '#general' });
  await bo.sees('Recipients of your next transfer');
  await bo.closes();
  await bo.types('/drop dispatch', { in: '#general' });
  await bo.sees('Review');
  await bo.closes();
  await bo.types('/drop help receivers', { in: '#general' });
  await bo.sees('/drop recipients [clear]');
  await bo.doesNotSee('/drop receivers');
});
