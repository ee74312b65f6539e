import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { clientFor, startStage } from './helper.ts';

test.each(['app_uninstalled', 'tokens_revoked'] as const)('an uninstall sends two events, %s first', async (first) => {
  const stage = await startStage();
  const events: string[] = [];
  await startBot(stage, (app) => {
    app.event('app_uninstalled', async () => void events.push('app_uninstalled'));
    app.event('tokens_revoked', async ({ event }) => void events.push(`tokens_revoked ${event.tokens.bot}`));
  });
  const botUserId = stage.acme.installation?.botUserId;
  stage.acme.uninstall({ first });
  await stage.slack.settled();
  expect(events.sort()).toEqual(['app_uninstalled', `tokens_revoked ${botUserId}`]);
  expect(stage.slack.deliveries[0]?.event).toBe(first);
});

test('after an uninstall, the token is invalid and people cannot find the app', async () => {
  const stage = await startStage({ behaviour: { timeoutMs: 20 } });
  await startBot(stage, (app) => app.action('x', async ({ ack }) => ack()));
  const client = clientFor(stage.slack, stage.token);
  stage.acme.uninstall();
  await expect(client.auth.test()).rejects.toMatchObject({ data: { error: 'account_inactive' } });
  await stage.anna.types('/drop', { in: '#general' });
  await stage.anna.sees('/drop is not a valid command.');
  await expect(stage.anna.opens('Home of Dropline')).rejects.toThrow('does not have Dropline');
  await expect(stage.anna.usesShortcut('New transfer')).rejects.toThrow('Offered: nothing');
});

test('a revoked token is invalid, and the app gets an event', async () => {
  const stage = await startStage();
  await startBot(stage, (app) => app.event('tokens_revoked', async () => {}));
  const client = clientFor(stage.slack, stage.token);
  stage.acme.revokeToken();
  await expect(client.auth.test()).rejects.toMatchObject({ data: { error: 'token_revoked' } });
  await stage.slack.settled();
  expect(stage.slack.deliveries).toMatchObject([{ event: 'tokens_revoked', outcome: 'acked' }]);
});

test('a response_url stops working after an uninstall', async () => {
  const stage = await startStage();
  await startBot(stage, (app) => app.command('/drop', async ({ ack }) => ack()));
  await stage.anna.types('/drop', { in: '#general' });
  stage.acme.uninstall();
  const url = String(stage.slack.deliveries[0]?.payload.response_url);
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ text: 'x' }) });
  expect(answer.status).toBe(404);
});

test('an uninstall does not affect other workspaces', async () => {
  const stage = await startStage();
  const other = stage.slack.addWorkspace({ name: 'Other' });
  const { botToken } = other.install({ by: other.addPerson({ name: 'Olga', role: 'owner' }) });
  stage.acme.uninstall();
  expect(await clientFor(stage.slack, botToken).auth.test()).toMatchObject({ team: 'Other' });
});
