import { expect, test } from 'vitest';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

/** From files in the tray to a confirmed dispatch. */
async function sends(person: Person, files: number, to = 'carl'): Promise<void> {
  await person.types('/drop send', { in: 'Dropline' });
  await person.picks('To', to);
  await person.submits('Check before sending');
  await person.submits(`Send ${files === 1 ? '1 file' : `${files} files`} to 1 person`);
  await person.sees('It is on its way.');
  await person.closes();
}

async function shared(person: Person, files: { name: string; data: string }[]): Promise<void> {
  await person.opens('Dropline');
  await person.shares(files, { in: 'Dropline' });
  await person.sees('Put aside:');
}

test('names of every kind arrive, unique and safe, and are shown before sending', async () => {
  const { bo, account } = await setUpApp(postgres);
  const names = ['ä ö.txt', 'q"uote\'s.txt', '100%.txt', 'a/b.txt', `${'x'.repeat(300)}.txt`, 'same.txt', 'same.txt'];
  await shared(
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

interface Trouble {
  what: string;
  happens(setup: AppSetup): void;
  says: RegExp;
}

const troubles: Trouble[] = [
  {
    what: 'whose download breaks off',
    happens: ({ slack }) => void slack.addFault({ method: 'download', kind: 'cut' }),
    says: /could not be uploaded, so nothing was sent/,
  },
  {
    what: 'that Slack does not give out',
    happens: ({ slack }) => void slack.addFault({ method: 'download', kind: 'server-error', status: 403 }),
    says: /I may not read it/,
  },
  {
    what: 'that turns out longer than Slack said',
    happens: ({ acme }) => void Object.assign(acme.files[0] ?? {}, { size: 3 }),
    says: /was changed since you confirmed|another size|could not be uploaded/,
  },
];

test.each(troubles)('of a file $what nothing is sent, and the card says which and why', async ({ happens, says }) => {
  const setup = await setUpApp(postgres);
  const { bo, account } = setup;
  await shared(bo, [{ name: 'plan.pdf', data: 'the plan of the whole house' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.submits('Check before sending');
  await bo.sees('first time');
  happens(setup);
  await bo.submits('Send 1 file to 1 person');
  await bo.sees('It is on its way.');
  await bo.closes();
  await bo.sees('⚠️ Not sent');
  await bo.sees(says);
  expect(bo.screen()).toContain('plan.pdf');
  expect(account).toMatchObject({ drops: [], uploads: [], receivers: [] });
});

test('a file that is deleted in Slack after the confirmation stops the dispatch', async () => {
  const { bo, account, exchange } = await setUpApp(postgres);
  await shared(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.submits('Check before sending');
  await bo.sees('first time');
  const hold = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  await bo.submits('Send 1 file to 1 person');
  await bo.sees('It is on its way.');
  await bo.closes();
  await hold.struck;
  await bo.deletesFile('plan.pdf');
  await hold.release();
  await bo.sees('is gone since you confirmed');
  expect(account.drops).toEqual([]);
});

test('a submission that Slack delivers twice is answered alike and sends once', async () => {
  const { bo, account, slack } = await setUpApp(postgres);
  await shared(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
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
  const { anna, bo, account, exchange } = await setUpApp(postgres);
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await shared(anna, [{ name: 'first.txt', data: 'first' }]);
  await sends(anna, 1);
  await slow.struck;
  await shared(bo, [{ name: 'second.txt', data: 'second' }]);
  await sends(bo, 1, 'dora');
  await bo.sees('1 dispatch before it.');
  await bo.clicks('Cancel');
  await bo.confirms('Cancel it');
  await slow.release();
  await anna.sees('✅ Sent');
  await bo.sees('Cancelled');
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['first.txt']]);
});

test('a foreign file stops a member, who asks an admin, who removes it and sends', async () => {
  const { anna, bo, account } = await setUpApp(postgres);
  account.uploads.push({ name: 'stranger.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  await shared(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
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
  await gus.sees('Guests, bots and people of other organisations cannot use Dropline here.');
  expect(account.drops).toEqual([]);
  expect(slack.deliveries.every(({ outcome }) => outcome === 'acked')).toBe(true);
});
