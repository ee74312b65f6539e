import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/sending.ts';
import { sends, waitInLine } from './wait-in-line.ts';

const postgres = startTestPostgres();

test('names of every kind arrive, unique and safe, and are shown before sending', async () => {
  const { bo, account } = await setUpApp(postgres);
  const names = ['ä ö.txt', 'q"uote\'s.txt', '100%.txt', 'a/b.txt', `${'x'.repeat(300)}.txt`, 'same.txt', 'same.txt'];
  await stages(
    bo,
    names.map((name, number) => ({ name, data: `content ${number}` })),
  );
  await bo.sees(/7 files/);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.submits('Check before sending');
  await bo.sees('same (2).txt');
  await bo.submits('Send 7 files to 1 person');
  await bo.sees('It is on its way.');
  await bo.closes();
  await bo.sees('✅ Sent');
  const [drop] = account.drops;
  const sums = names.map((_, number) => sha256(`content ${number}`));
  expect(drop?.files.map(({ sha256: sum }) => sum).sort()).toEqual(sums.sort());
  expect(new Set(drop?.files.map(({ name }) => name.toLowerCase())).size).toBe(names.length);
  for (const file of drop?.files ?? []) {
    expect(Buffer.byteLength(file.name)).toBeLessThanOrEqual(255);
    expect(file.name).not.toMatch(/[/\\"\n]/);
  }
});

test('a submission that Slack delivers twice is answered alike and sends once', async () => {
  const { bo, account, slack } = await setUpApp(postgres);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  slack.addFault({ delivery: 'view_submission', kind: 'duplicate', times: 2 });
  await bo.submits('Check before sending');
  await slack.settled();
  await bo.sees('first time');
  await bo.submits('Send 1 file to 1 person');
  await slack.settled();
  await bo.sees('It is on its way.');
  await bo.closes();
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
});

test('a dispatch that waits for another can be cancelled from its card', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, account } = setup;
  const slow = await waitInLine(setup);
  await bo.clicks('Cancel');
  await bo.confirms('Cancel it');
  await bo.sees('Stopping');
  await slow.release();
  await anna.sees('✅ Sent');
  await bo.sees('Cancelled');
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['first.txt']]);
});

test('a foreign file stops a member, who asks an admin, who removes it and sends', async () => {
  const { anna, bo, account } = await setUpApp(postgres);
  account.uploads.push({ name: 'stranger.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await sends(bo, 1);
  await bo.sees('stranger.doc');
  await bo.clicks('Ask an admin');
  await anna.opens('Dropline');
  await anna.sees('would be sent along');
  await anna.clicks('Remove them and send');
  await anna.confirms('Remove and send');
  await bo.sees('✅ Sent');
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['plan.pdf']]);
});

test('a guest cannot send, and is told so', async () => {
  const { gus, account, slack } = await setUpApp(postgres);
  await gus.types('/drop send', { in: '#general' });
  await gus.sees('Guests, bots and people from other organisations cannot use Dropline here.');
  expect(account.drops).toEqual([]);
  await slack.settled();
  expect(slack.deliveries.every(({ outcome }) => outcome === 'acked')).toBe(true);
});
