import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { commandOf, deliver, formType } from '../helpers/deliver.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { describeIf, noShared } from '../helpers/skips.ts';

const postgres = startTestPostgres();

const samples = resolve(import.meta.dirname, '../../../shared/slack-samples/payloads');

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

describeIf(existsSync(samples), noShared, 'Slack sample payloads', () => {
  test('every sample payload of Slack is answered in time, and none crashes the process', async () => {
    const { url, acme, anna } = await setUpApp(postgres);
    const files = readdirSync(samples).filter((file) => file.endsWith('.json'));
    expect(files.length).toBeGreaterThan(40);
    const failures: string[] = [];
    for (const file of files) {
      // The samples come from workspaces without the app and are refused; copies with our ids are processed.
      const text = readFileSync(resolve(samples, file), 'utf8');
      const adapted = text
        .replaceAll(/"T[A-Z0-9]{6,}"/g, `"${acme.id}"`)
        .replaceAll(/"[UW][A-Z0-9]{6,}"/g, `"${anna.id}"`);
      for (const sample of [text, adapted]) {
        const isEvent = file.startsWith('event.');
        const isCommand = file.startsWith('slash');
        const payload = isEvent
          ? JSON.stringify(JSON.parse(sample))
          : isCommand
            ? new URLSearchParams(JSON.parse(sample)).toString()
            : new URLSearchParams({ payload: JSON.stringify(JSON.parse(sample)) }).toString();
        const started = Date.now();
        const { status } = await deliver(url, payload, isEvent ? {} : { type: formType });
        if (Date.now() - started > 2_900 || status >= 500)
          failures.push(`${file}: ${status} after ${Date.now() - started} ms`);
      }
    }
    expect(failures).toEqual([]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  }, 120_000);
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
  await slack.untilSettled();
  expect(slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);
  await Promise.all(delays.map((delay) => delay.release()));
  await anna.sees('Wrong account or API key');
});
