import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();
const plan = { name: 'plan.pdf', data: 'the plan' };

test('many staged files are reviewed and sent within the rate limit of files.info', async () => {
  const { bo, slack, account } = await setUpApp(postgres, { rateLimits: true });
  const files = Array.from({ length: 30 }, (_, number) => ({ name: `${number}.txt`, data: `file ${number}` }));
  await stages(bo, files);
  await reviews(bo);
  await bo.submits('Send 30 files now');
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await bo.sees('✅ Sent');
  expect(account.drops.map((transfer) => transfer.files.length)).toEqual([30]);
  expect(slack.calls.filter(({ method, ok }) => method === 'files.info' && !ok)).toEqual([]);
});

test('a process without cached file info shows staged files from the database', async () => {
  const { bo, slack, startAnotherBot } = await setUpApp(postgres);
  await stages(
    bo,
    Array.from({ length: 21 }, (_, number) => ({ name: `${number}.txt`, data: `file ${number}` })),
  );
  const { url } = await startAnotherBot();
  slack.deliverTo(url);
  slack.calls.length = 0;
  await bo.types('/drop send');
  await bo.sees('20.txt (7 bytes)');
  await bo.closes();
  await bo.types('/drop files');
  await bo.sees('20.txt · 7 bytes');
  expect(slack.calls.filter(({ method }) => method === 'files.info')).toEqual([]);
});

test("a transfer waits until Slack's rate limit allows the check of its files", async () => {
  const { bo, slack, exchange } = await setUpApp(postgres);
  await stages(bo, [plan]);
  await reviews(bo);
  const delay = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  await confirms(bo, 1);
  await delay.triggered;
  const limited = slack.addFault({ method: 'files.info', kind: 'rate-limited', retryAfter: 1 });
  await delay.release();
  await limited.triggered;
  await bo.sees('✅ Sent');
});

test('a rate-limited staged file is shown from the database; a refused one is reported', async () => {
  const { bo, slack, acme, startAnotherBot } = await setUpApp(postgres);
  await stages(bo, [plan]);
  // This process has not looked up the file before.
  const { url } = await startAnotherBot();
  slack.deliverTo(url);
  slack.addFault({ method: 'files.info', kind: 'rate-limited', retryAfter: 60 });
  await bo.types('/drop files');
  await bo.sees('plan.pdf · 8 bytes');
  await bo.closes();
  Object.assign(acme.files[0] ?? {}, { refusal: 'access_denied' });
  await bo.types('/drop send');
  await bo.sees("⚠️ “plan.pdf”: I can't read this file.");
  await bo.clicks('Remove plan.pdf');
  await bo.doesNotSee('plan.pdf');
  await bo.closes();
  await bo.types('/drop files');
  await bo.sees('No files yet.');
});

test('a transfer asks Slack once about each of its files, right before it is read', async () => {
  const { bo, slack, account } = await setUpApp(postgres);
  await stages(bo, [
    { name: 'notes.txt', data: 'a note', snippet: true },
    { name: 'a.pdf', data: 'the plan' },
  ]);
  await reviews(bo);
  slack.calls.length = 0;
  await confirms(bo, 2);
  await bo.sees('✅ Sent');
  const methods = slack.calls.map(({ method }) => method).filter((method) => /^(files.info|download)$/.test(method));
  expect(methods).toEqual(['files.info', 'download', 'files.info', 'download']);
  expect(account.drops[0]?.files.map(({ sha256: sum }) => sum).sort()).toEqual(
    [sha256('a note'), sha256('the plan')].sort(),
  );
});
