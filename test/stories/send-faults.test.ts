import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { sha256, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { checks, confirms, putsAside } from '../helpers/sending.ts';

const postgres = startTestPostgres();

async function sends(person: Person, files: number, to = 'carl'): Promise<void> {
  await checks(person, { to });
  await confirms(person, files);
}

/** Bo's dispatch waits for Anna's, which is on its way until that is let go. */
async function waitInLine({ anna, bo, exchange }: AppSetup) {
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await putsAside(anna, [{ name: 'first.txt', data: 'first' }]);
  await sends(anna, 1);
  await slow.struck;
  await putsAside(bo, [{ name: 'second.txt', data: 'second' }]);
  await sends(bo, 1, 'dora');
  await bo.sees('1 dispatch ahead of it.');
  return slow;
}

test('names of every kind arrive, unique and safe, and are shown before sending', async () => {
  const { bo, account } = await setUpApp(postgres);
  const names = ['ä ö.txt', 'q"uote\'s.txt', '100%.txt', 'a/b.txt', `${'x'.repeat(300)}.txt`, 'same.txt', 'same.txt'];
  await putsAside(
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
  await putsAside(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
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

test.each([1, 2])(
  'a card that was looked up before the end and is changed after it shows the end (change %i)',
  async (nth) => {
    const setup = await setUpApp(postgres);
    const { bo, slack, services, atRest } = setup;
    const slow = await waitInLine(setup);
    const held = [slack.addFault({ method: 'chat.update', kind: 'delay' })];
    await bo.clicks('Cancel');
    await bo.confirms('Cancel it');
    await held[0]?.struck;
    if (nth === 2) {
      held.push(slack.addFault({ method: 'chat.update', kind: 'delay' }));
      await held[0]?.release();
      // There need not be a second one: where the first was the last word, that is right too.
      await Promise.race([held[1]?.struck, sleep(500)]);
      held[1]?.remove();
    }
    await slow.release();
    await until(async () => {
      const { rows } = await services.store.pool.query('select from dropline.dispatches where ended_at is null');
      return rows.length === 0 || undefined;
    }, 'both to end');
    await sleep(300);
    await held.at(-1)?.release();
    await bo.sees('Cancelled');
    await atRest();
    expect(bo.screen()).not.toContain('Stopping');
  },
);

test('a foreign file stops a member, who asks an admin, who removes it and sends', async () => {
  const { anna, bo, account } = await setUpApp(postgres);
  account.uploads.push({ name: 'stranger.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  await putsAside(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
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
