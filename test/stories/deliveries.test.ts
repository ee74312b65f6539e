import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { commandOf, deliver, formType } from '../helpers/deliver.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { payloads, samplePerson, sampleTeam, unexpectedPayloads } from '../helpers/slack-samples.ts';

const postgres = startTestPostgres();

test('unsigned, wrongly signed, old and oversized requests are refused', async () => {
  // No workers run, because a poller would post what it finds in the inbox.
  const { url, acme, anna, slack } = await setUpApp(postgres, { isWorking: false });
  const command = commandOf(anna, acme, 'disconnect', `${slack.url}/nowhere`);
  const before = slack.calls.length;
  expect((await deliver(url, command, { secret: 'another', type: formType })).status).toBe(401);
  expect((await deliver(url, command, { age: 3600, type: formType })).status).toBe(401);
  expect((await fetch(`${url}/slack/events`, { method: 'POST', body: command })).status).toBeGreaterThanOrEqual(400);
  expect(slack.calls.length).toBe(before);
  expect((await deliver(url, 'x'.repeat(5_000_000), { type: formType })).status).toBe(413);
});

test('every kind of payload is answered in time, and none crashes the process', async () => {
  const { url, acme, anna } = await setUpApp(postgres);
  const failures: string[] = [];
  // The event that uninstalls the app is the last one.
  for (const [kind, sample] of Object.entries({ ...unexpectedPayloads, ...payloads })) {
    // The samples are from a workspace without the app and are refused; copies with our ids are processed.
    const text = JSON.stringify(sample);
    for (const json of [text, text.replaceAll(sampleTeam, acme.id).replaceAll(samplePerson, anna.id)]) {
      const isEvent = kind.startsWith('event.');
      const form = kind === 'slash_command' ? JSON.parse(json) : { payload: json };
      const body = isEvent ? json : new URLSearchParams(form).toString();
      const started = Date.now();
      const { status } = await deliver(url, body, isEvent ? {} : { type: formType });
      const ms = Date.now() - started;
      if (ms > 2_900 || status >= 500) failures.push(`${kind}: ${status} after ${ms} ms`);
    }
  }
  expect(failures).toEqual([]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
}, 120_000);

test('a form with a charset in its content type is accepted', async () => {
  const { url, acme, bo, slack } = await setUpApp(postgres);
  for (const [number, type] of [`${formType}; charset=utf-8`, `${formType};charset=UTF-8`].entries()) {
    const command = commandOf(bo, acme, `word${number}`, `${slack.url}/nowhere`);
    expect((await deliver(url, command, { type })).status).toBe(200);
    await bo.opens('Dropline');
    await bo.sees(`I don't know “word${number}”.`);
  }
});

test('if Slack delivers a command twice, it runs once', async () => {
  const { anna, slack, untilIdle } = await setUpApp(postgres);
  slack.addFault({ delivery: 'slash_command', kind: 'duplicate' });
  await anna.types('/drop connect', { in: '#general' });
  await anna.sees('Connect Dropline');
  await untilIdle();
  expect(slack.calls.filter(({ method, ok }) => method === 'views.open' && ok)).toHaveLength(1);
  expect(slack.calls.filter(({ method }) => method === 'views.open')).toHaveLength(1);
});

test('while the service hangs, a form is acknowledged and answered later', async () => {
  const { anna, slack, exchange } = await setUpApp(postgres);
  const delays = (['index', 'contacts_read', 'get_history', 'get_files'] as const).map((operation) =>
    exchange.addFault({ operation, kind: 'delay', times: 20 }),
  );
  await anna.types('/drop connect', { in: '#general' });
  await anna.fills('API key', 'k');
  await anna.picks('Expiry is counted in', 'days');
  await anna.submits('Test and connect');
  await anna.sees('Working on it');
  await slack.untilIdle();
  expect(slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);
  await Promise.all(delays.map((delay) => delay.release()));
  await anna.sees('Wrong account or API key');
});
