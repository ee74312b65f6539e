import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';
import { queueBehindAnna } from './send.ts';

const postgres = startTestPostgres();

test('unusual file names are made safe and unique, and the review shows them', async () => {
  const { bo, account } = await setUpApp(postgres);
  const names = ['ä ö.txt', 'q"uote\'s.txt', '100%.txt', 'a/b.txt', `${'x'.repeat(300)}.txt`, 'same.txt', 'same.txt'];
  await stages(
    bo,
    names.map((name, number) => ({ name, data: `content ${number}` })),
  );
  await bo.sees(/7 files/);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.submits('Review');
  await bo.sees('same (2).txt');
  await bo.submits('Send 7 files to 1 person');
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await bo.sees('✅ Sent');
  const [transfer] = account.drops;
  const sums = names.map((_, number) => sha256(`content ${number}`));
  expect(transfer?.files.map(({ sha256: sum }) => sum).sort()).toEqual(sums.sort());
  expect(new Set(transfer?.files.map(({ name }) => name.toLowerCase())).size).toBe(names.length);
  for (const file of transfer?.files ?? []) {
    expect(Buffer.byteLength(file.name)).toBeLessThanOrEqual(255);
    expect(file.name).not.toMatch(/[/\\"\n]/);
  }
});

test('a queued transfer can be cancelled from its card', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, account } = setup;
  const slow = await queueBehindAnna(setup);
  await bo.clicks('Cancel');
  await bo.confirms('Cancel transfer');
  await bo.sees('Cancelling');
  await slow.release();
  await anna.sees('✅ Sent');
  await bo.sees('Cancelled');
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['first.txt']]);
});
