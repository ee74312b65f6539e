import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { connectionOf } from '../../src/features/common/connection.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

/** Types the command and closes its form before the service has answered. */
async function typesAndCloses(person: Person, command: string): Promise<void> {
  await person.types(command, { in: '#general' });
  await person.sees('One moment');
  await person.closes();
}

test('concurrent requests for /readyz share database queries', async () => {
  // No worker runs, because it would query the database too.
  const { url, services } = await setUpApp(postgres, { connected: false, isWorking: false });
  const { pool } = services.store;
  let acquired = 0;
  const count = () => void acquired++;
  pool.on('acquire', count);
  onTestFinished(() => void pool.off('acquire', count));
  const answers = await Promise.all(Array.from({ length: 200 }, () => fetch(`${url}/readyz`)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(acquired).toBeLessThan(50);
});

test('a person who sends many messages to the bot gets one answer', async () => {
  const { bo, anna, slack, untilIdle } = await setUpApp(postgres);
  const answersTo = (id: string) =>
    slack.calls.filter(
      ({ method, arguments: { text, channel } }) =>
        method === 'chat.postMessage' && channel === id && String(text).startsWith('Type help'),
    );
  for (const person of [bo, anna]) {
    await person.opens('Dropline');
    for (const text of ['hello', 'are you there?', 'hello!']) await person.types(text);
    await person.sees('Type help');
  }
  await untilIdle();
  expect([bo, anna].map(({ id }) => answersTo(id).length)).toEqual([1, 1]);
});

test('a person has at most 10 requests at once, a workspace 8 service calls', async () => {
  const { acme, anna, bo, exchange, slack, install, services } = await setUpApp(postgres, {
    timing: { healthMs: 60_000 },
  });
  const beta = slack.addWorkspace({ name: 'Beta' });
  const bea = beta.addPerson({ name: 'Bea', role: 'owner' });
  beta.addChannel({ name: 'general', members: [bea] });
  await install(beta, bea);
  exchange.addAccount({ user: 'beta@example.com', apiKey });
  const login = { baseUrl: exchange.url, username: 'beta@example.com', apiKey };
  await connect(services, { workspace: beta.id, person: bea.id }, login);
  const answered = (by: string) =>
    exchange.calls.filter((call) => call.operation === 'get_history' && call.user === by).length;
  // Each inbox is polled once when it is connected.
  for (const name of [user, 'beta@example.com']) await expect.poll(() => answered(name)).toBe(1);

  const delayed = [7, 1].map((times) => exchange.addFault({ operation: 'get_history', kind: 'delay', times }));
  for (let count = 0; count < 10; count++) await typesAndCloses(bo, '/drop status');
  await bo.types('/drop status', { in: '#general' });
  await bo.sees('Dropline is still working on your other requests. Try again in a moment.');
  for (let count = 0; count < 2; count++) await typesAndCloses(anna, '/drop status');
  await delayed[1]?.triggered;
  await bea.types('/drop history', { in: '#general' });
  await bea.sees('Nothing sent yet');
  // This call has no limit, like those of jobs, so it isn't delayed.
  await (await connectionOf(services, { workspace: acme.id })).exchange.readContacts();
  expect(answered(user)).toBe(1);
  for (const fault of delayed) await fault.release();
  await expect.poll(() => answered(user)).toBe(13);
});
