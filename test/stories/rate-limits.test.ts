import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a form and its role check come at once while posts are rate-limited', async () => {
  const { bo, anna, slack, acme, services } = await setUpApp(postgres);
  const limited = slack.addFault({ method: 'chat.postMessage', kind: 'rate-limited', retryAfter: 30 });
  const client = await services.slack.clientOf(acme.id);
  client.chat.postMessage({ channel: anna.id, text: 'Later' }).catch(() => {});
  await limited.triggered;
  await bo.types('/drop send', { in: '#general' });
  await bo.sees('To');
  expect(slack.calls.filter(({ method }) => method === 'users.info')).not.toEqual([]);
});

test('a person learns at once that Slack limits forms, and the next form opens', async () => {
  const { bo, slack } = await setUpApp(postgres);
  await bo.opens('#general');
  slack.addFault({ method: 'views.open', kind: 'rate-limited', retryAfter: 30 });
  await bo.types('/drop contacts');
  await bo.sees('⚠️ Slack limits how often I can open forms. Try again in 30 seconds.');
  await bo.types('/drop contacts');
  await bo.sees('Carl');
  slack.addFault({ method: 'views.push', kind: 'rate-limited', retryAfter: 1 });
  await bo.clicks('Import');
  await bo.sees('⚠️ Slack limits how often I can open forms. Try again in 1 second.');
});
