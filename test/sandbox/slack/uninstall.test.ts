import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { clientFor, setUpWorkspace } from './helper.ts';

test.each(['app_uninstalled', 'tokens_revoked'] as const)('an uninstall sends two events, %s first', async (first) => {
  const setup = await setUpWorkspace();
  const events: string[] = [];
  await startBot(setup, (app) => {
    app.event('app_uninstalled', async () => void events.push('app_uninstalled'));
    app.event('tokens_revoked', async ({ event }) => void events.push(`tokens_revoked ${event.tokens.bot}`));
  });
  const botUserId = setup.acme.installation?.botUserId;
  setup.acme.uninstall({ first });
  await setup.slack.untilIdle();
  expect(events.sort()).toEqual(['app_uninstalled', `tokens_revoked ${botUserId}`]);
  expect(setup.slack.deliveries[0]?.event).toBe(first);
});

test('after an uninstall, the token is invalid and people cannot find the app', async () => {
  const setup = await setUpWorkspace({ behaviour: { timeoutMs: 20 } });
  await startBot(setup, (app) => app.action('x', async ({ ack }) => ack()));
  const client = clientFor(setup.slack, setup.token);
  setup.acme.uninstall();
  await expect(client.auth.test()).rejects.toMatchObject({ data: { error: 'account_inactive' } });
  await setup.anna.types('/drop', { in: '#general' });
  await setup.anna.sees('/drop is not a valid command.');
  await expect(setup.anna.opens('Home of Dropline')).rejects.toThrow('does not have Dropline');
  await expect(setup.anna.usesShortcut('New transfer')).rejects.toThrow('Offered: nothing');
});

test('a revoked token is invalid, and the app gets an event', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => app.event('tokens_revoked', async () => {}));
  const client = clientFor(setup.slack, setup.token);
  setup.acme.revokeToken();
  await expect(client.auth.test()).rejects.toMatchObject({ data: { error: 'token_revoked' } });
  await setup.slack.untilIdle();
  expect(setup.slack.deliveries).toMatchObject([{ event: 'tokens_revoked', outcome: 'acked' }]);
});

test('a response_url stops working after an uninstall', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => app.command('/drop', async ({ ack }) => ack()));
  await setup.anna.types('/drop', { in: '#general' });
  setup.acme.uninstall();
  const url = String(setup.slack.deliveries[0]?.payload.response_url);
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ text: 'x' }) });
  expect(answer.status).toBe(404);
});

test('an uninstall does not affect other workspaces', async () => {
  const setup = await setUpWorkspace();
  const other = setup.slack.addWorkspace({ name: 'Other' });
  const { botToken } = other.install({ by: other.addPerson({ name: 'Olga', role: 'owner' }) });
  setup.acme.uninstall();
  expect(await clientFor(setup.slack, botToken).auth.test()).toMatchObject({ team: 'Other' });
});
