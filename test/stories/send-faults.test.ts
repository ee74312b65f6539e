import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';
import { sendStaged } from './send.ts';

const postgres = startTestPostgres();

test('if Slack delivers a form twice, one transfer is sent', async () => {
  const { bo, account, slack } = await setUpApp(postgres);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  slack.addFault({ delivery: 'view_submission', kind: 'duplicate', times: 2 });
  await bo.submits('Review');
  await slack.untilIdle();
  await bo.sees('New recipient');
  await bo.submits('Send 1 file to 1 person');
  await slack.untilIdle();
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
});

test('an unexpected file blocks a transfer until an admin removes it', async () => {
  const { anna, bo, account } = await setUpApp(postgres);
  account.uploads.push({ name: 'stranger.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await sendStaged(bo, 1);
  await bo.sees('stranger.doc');
  await bo.clicks('Ask an admin');
  await anna.opens('Dropline');
  await anna.sees('would be sent too');
  await anna.clicks('Delete and send');
  await anna.confirms('Delete and send');
  await bo.sees('✅ Sent');
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['plan.pdf']]);
});

test("a guest can't send and learns why", async () => {
  const { gus, account, slack } = await setUpApp(postgres);
  await gus.types('/drop send', { in: '#general' });
  await gus.sees("Guests, bots and people from other organisations can't use Dropline here.");
  expect(account.drops).toEqual([]);
  await slack.untilIdle();
  expect(slack.deliveries.every(({ outcome }) => outcome === 'acked')).toBe(true);
});
