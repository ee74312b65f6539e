import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { user } from '../helpers/exchange.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a second click during a download delivers the file once', async () => {
  const { bo, arrive, slack, exchange, untilIdle } = await setUpInboxApp(postgres);
  await arrive('carl@example.org', ['plan.pdf']);
  const slow = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await slow.struck;
  await bo.clicks('Download plan.pdf');
  await slack.settled();
  // Time for the second job to start, or to find that it must wait.
  await sleep(1_000);
  await slow.release();
  await bo.opens('Dropline');
  expect(String(await (await bo.downloads('plan.pdf')).read())).toBe('bytes of plan.pdf');
  await untilIdle();
  expect(slack.calls.filter(({ method }) => method === 'files.completeUploadExternal')).toHaveLength(1);
  expect(bo.screen()).not.toContain('Downloading');
});

test('without an inbox channel, new files are announced to the person who connected', async () => {
  const { anna, exchange } = await setUpApp(postgres, { pollMs: 300 });
  await anna.opens('Dropline');
  await anna.sees('The inbox is empty.');
  await exchange.addInboxItem(user, { sender: 'carl@example.org', files: [{ name: 'x.txt', data: 'x' }] });
  await anna.sees('1 file from carl@example.org');
});
