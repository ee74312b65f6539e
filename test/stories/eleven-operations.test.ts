import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../../src/exchange/operations.ts';
import { featureRoutes } from '../../src/features/routes.ts';
import type { TransferUiServices } from '../../src/features/transfers/shown-kind.ts';
import { joinRoutes } from '../../src/slack/routes.ts';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { sha256, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();
const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');

test('people reach all eleven operations through Slack, from connect to download', async () => {
  const { anna, bo, acme, account, exchange } = await setUpApp(postgres, { connected: false, pollMs: 300 });
  acme.addChannel({ name: 'inbox', members: [anna, bo, 'app'] });
  // Someone used the account without Dropline before, so it has an unexpected file.
  account.uploads.push({ name: 'old.doc', type: 'text/plain', bytes: 3, sha256: sha256('old') });
  const linkTo = (person: string) =>
    until(() => exchange.outbox.findLast(({ to }) => to === person)?.link, `an email to ${person}`);

  await anna.types('/drop connect', { in: '#general' });
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', user);
  await anna.fills('API key', apiKey);
  await anna.picks('Channel for incoming files', 'inbox');
  await anna.picks('Expiry is counted in', 'days');
  await anna.submits('Test and connect');
  await anna.sees('onnected to the file service as');
  await anna.closes();
  await anna.types('/drop settings');
  await anna.clicks('Change service options');
  await anna.picks('File requests', 'On');
  await anna.submits('Save');
  await anna.sees('File requests are on.');
  await anna.closes();
  await anna.types('/drop files');
  await anna.sees('not uploaded by Dropline, blocks sending');
  await anna.clicks('Delete old.doc');
  await anna.confirms('Delete');
  await anna.sees("They're uploaded while a transfer runs");
  expect(account.uploads).toEqual([]);

  await bo.types('/drop contacts add fia@example.org +46 70 123 Fia', { in: '#general' });
  await bo.opens('Dropline');
  await bo.sees('Adding fia@example.org. Contact added.');
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.clicks('Send 1 file…');
  await bo.picks('To', 'fia');
  await bo.fills('Message', 'Here you are');
  await bo.submits('Review');
  await bo.sees('fia@example.org');
  await bo.submits('Send 1 file to 1 person');
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await bo.sees('✅ Sent');
  const received = await fetch(`${await linkTo('fia@example.org')}/0`);
  expect(await received.text()).toBe('the plan');

  await bo.types('/drop request');
  await bo.picks('Request from', 'carl@example.org');
  await bo.fills('Message', 'Please send the map.');
  await bo.submits('Review');
  await bo.submits('Request from 1 person');
  // A form that was answered late shows the result and stays open. Reloading closes it.
  await bo.reloads();
  await bo.sees('No uploads yet.');
  const upload = new FormData();
  upload.append('file', new File(['the map'], 'map.png'));
  expect((await fetch(await linkTo('carl@example.org'), { method: 'POST', body: upload })).status).toBe(200);
  await bo.sees('1 file from carl@example.org, requested by @Bo');
  await bo.clicks('Download map.png');
  expect((await bo.downloads('map.png')).sha256).toBe(sha256('the map'));
  await bo.types('/drop history');
  await bo.sees('plan.pdf');

  const done = exchange.calls.flatMap(({ operation, outcome }) => (outcome === 'done' ? [operation] : []));
  expect([...new Set(done)].sort()).toEqual(Object.keys(operations).map(endpointOf).sort());
  expect(account.drops.map(({ type }) => type)).toEqual(['downloadfiles', 'uploadfiles']);
  expect(account).toMatchObject({ uploads: [], receivers: [] });
});

/** The service's name for an operation of the client library. */
function endpointOf(name: string): string {
  const { path } = { path: undefined, ...operations[name as keyof typeof operations] };
  return path === undefined ? name : (/(\w+)\.cgi$/.exec(path)?.[1] ?? 'index');
}

/** The rows of the README's table of operations: number, call, command, story. */
function tableRows(): string[][] {
  const [, table = ''] = readme.split(/^\| # \| call \| command \| story \|\n\|[-|]+\|\n/m);
  const [rows = ''] = table.split('\n\n');
  return rows.split('\n').map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

test('the README lists a command and a story for each operation', () => {
  const { commands } = joinRoutes(featureRoutes({} as TransferUiServices));
  const rows = tableRows();
  expect(rows.map(([number, name]) => `${number} ${name}`)).toEqual(
    Object.keys(operations).map((name, index) => `${index + 1} ${name}`),
  );
  for (const [, , command = '', story = ''] of rows) {
    expect(Object.keys(commands)).toContain(/^\/drop (\w+)$/.exec(command)?.[1]);
    const source = readFileSync(resolve(import.meta.dirname, story), 'utf8');
    expect(source, story).toContain(`types('${command}`);
  }
});

/** Method and endpoint of each operation, in the order of the service's documentation. */
const documented = [
  'GET index',
  'GET contacts_read',
  'POST contacts_add',
  'POST receivers_set',
  'GET get_files',
  'GET remove_file',
  'POST upload',
  'POST createdrop',
  'POST givedrop',
  'GET get_history',
  'GET download',
];

test('the eleven operations match the documentation, in its order', () => {
  const ours = Object.entries(operations).map(([name, { method }]) => `${method} ${endpointOf(name)}`);
  expect(ours).toEqual(documented);
});
