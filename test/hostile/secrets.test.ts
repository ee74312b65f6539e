import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { encodingsOf } from '../helpers/dump.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a key or token echoed by the service reaches no message, form, log or metric', async () => {
  const { anna, bo, slack, exchange, account, logged, services, acme } = await setUpApp(postgres, {
    logLevel: 'trace',
  });
  const [token = ''] = account.tokens.map(({ value }) => value);
  const header = Buffer.from(`${user}:${apiKey}`).toString('base64');
  const body = `no: ${apiKey} / ${encodeURIComponent(apiKey)} / Basic ${header} / ${token} / csrftoken=${token}`;
  const answer = { status: 500, headers: { 'content-type': 'text/plain' }, body };
  const faults = (['contacts_read', 'get_files', 'get_history', 'index', 'receivers_set'] as const).map((operation) =>
    exchange.addFault({ operation, kind: 'answer', times: 1_000, answer }),
  );
  for (const command of ['contacts', 'files', 'history', 'status', 'recipients', 'send']) {
    await anna.types(`/drop ${command}`, { in: '#general' });
    await slack.untilIdle();
    await anna.closes().catch(() => {});
  }
  await anna.types('/drop contacts add eva@example.org', { in: '#general' });
  await bo.types('/drop contacts', { in: '#general' });
  await bo.sees('[secret]');
  for (const fault of faults) fault.remove();

  const { botToken = '' } = acme.installation ?? {};
  const outputs = { slack: JSON.stringify(slack.calls), log: logged(), metrics: await services.metrics.render() };
  expect(outputs.slack).toContain('[secret]');
  for (const [name, secret] of Object.entries({ apiKey, header, token, botToken })) {
    expect(secret.length, name).toBeGreaterThan(8);
    for (const [where, text] of Object.entries(outputs)) {
      for (const encoded of encodingsOf(secret)) expect(text.includes(encoded), `${name} in ${where}`).toBe(false);
    }
  }
});
