import { expect, test } from 'vitest';
import { until } from '../helpers/features.ts';
import { type InboxApp, setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

async function setUp(): Promise<InboxApp> {
  const app = await setUpInboxApp(postgres);
  await app.changeInbox({ takeAndDone: true });
  return app;
}

/** The audit entries about Take and Done, oldest first. */
async function auditEntriesOf({ services, acme }: InboxApp) {
  const entries = await services.store.audit.list(acme.id);
  const workActions = ['take', 'take over', 'mark done', 'reopen'];
  return entries
    .filter(({ action }) => workActions.includes(action))
    .map(({ person, action, outcome }) => [person, action, outcome])
    .reverse();
}

test('an admin turns on the Take and Done buttons for a channel that gets new files', async () => {
  const { anna, bo, addItem } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['before.pdf']);
  await bo.sees('before.pdf');
  await bo.doesNotSee('[Take]');
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.clicks('Change channel for everything else');
  await anna.picks('Take and Done', 'On');
  await anna.submits('Save');
  await anna.sees('#inbox · everything else · every item · Take and Done');
  await addItem('dora@example.net', ['after.pdf']);
  await bo.clicks('Take 1 file from dora@example.net');
  await bo.sees('Taken by @Bo since');
  expect(bo.screen()).not.toContain('Take 1 file from carl@example.org');
  // Items from before the setting are open, and can be taken in the inbox.
  await bo.types('/drop inbox');
  await bo.clicks('Open items');
  await bo.sees('1 open item, newest first.');
  await bo.clicks('Take 1 file from carl@example.org');
  await bo.sees('You have taken 1 file from carl@example.org.');
  await bo.sees('Nothing is open: everything was taken or is done.');
});

test('a post shows who took or finished an item, and a finished item can be reopened', async () => {
  const app = await setUp();
  const { anna, bo, addItem } = app;
  await addItem('carl@example.org', ['plan.pdf', 'map.png']);
  await bo.clicks('Take 2 files from carl@example.org');
  await bo.sees('You have taken 2 files from carl@example.org.');
  await anna.sees('Taken by @Bo since');
  await anna.doesNotSee('[Take]');
  await bo.clicks('Done 2 files from carl@example.org');
  await anna.sees('✅ Done by @Bo');
  expect(anna.screen()).not.toContain('Taken by');
  await anna.clicks('Reopen');
  await anna.sees('2 files from carl@example.org: Taken by @Bo since');
  await anna.sees('[Done]');
  await bo.opens('Dropline');
  await bo.sees('@Anna reopened 2 files from carl@example.org. You have it again.');
  expect(app.logged()).toMatch(new RegExp(`"person":"${bo.id}".*"operation":"take".*"outcome":"done"`));
  expect(await auditEntriesOf(app)).toEqual([
    [bo.id, 'take', 'done'],
    [bo.id, 'mark done', 'done'],
    [anna.id, 'reopen', 'done'],
  ]);
  const metrics = await app.services.metrics.render();
  for (const action of ['take', 'mark done', 'reopen'])
    expect(metrics).toMatch(new RegExp(`^dropline_inbox_work_total\\{action="${action}",outcome="done"\\} [1-9]`, 'm'));
});

test('taking an item from another person asks for confirmation and notifies them', async () => {
  const app = await setUp();
  const { anna, bo, addItem } = app;
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.clicks('Take 1 file from carl@example.org');
  await anna.clicks('Take over…');
  await anna.sees('@Bo has had it since');
  await anna.clicks('Cancel');
  expect(await auditEntriesOf(app)).toHaveLength(1);
  await anna.clicks('Take over…');
  await anna.sees('@Bo has had it since');
  await anna.submits('Take over');
  await anna.sees('You have taken 1 file from carl@example.org.');
  await anna.closes();
  await anna.sees('Taken by @Anna since');
  await bo.opens('Dropline');
  await bo.sees('@Anna took over 1 file from carl@example.org, which you had taken.');
  expect((await auditEntriesOf(app)).at(-1)).toEqual([anna.id, 'take over', 'done']);
  await anna.types('/drop audit');
  await anna.sees(/took over plan\.pdf from carl@example\.org\ntaken before by @Bo/);
});

test('if two people take an item at the same time, one gets it and the other sees who', async () => {
  const app = await setUp();
  const { anna, bo, addItem, slack, inbox } = app;
  await addItem('carl@example.org', ['plan.pdf']);
  await Promise.all([anna, bo].map((person) => person.sees('[Take]')));
  slack.addFault({ delivery: 'block_actions', kind: 'duplicate' });
  await Promise.all([anna, bo].map((person) => person.clicks('Take 1 file from carl@example.org')));
  await until(async () => (await auditEntriesOf(app)).length > 0 || undefined, 'a click to count');
  const [[holder] = []] = await auditEntriesOf(app);
  const [winner, loser] = holder === anna.id ? [anna, bo] : [bo, anna];
  await winner.sees('You have taken 1 file from carl@example.org.');
  await loser.sees(`1 file from carl@example.org: Taken by @${winner.name} since`);
  await app.untilIdle();
  expect(await auditEntriesOf(app)).toEqual([[winner.id, 'take', 'done']]);
  expect(await app.services.metrics.render()).toContain('dropline_inbox_work_total{action="take",outcome="unchanged"}');
  expect(inbox.messages.filter(({ text }) => text.includes('plan.pdf'))).toHaveLength(1);
});

test('the inbox has filters for open, own and done items; the Home tab lists own items', async () => {
  const { bo, anna, addItem } = await setUp();
  for (const name of ['a', 'b', 'c']) await addItem(`${name}@example.org`, [`${name}.pdf`]);
  for (const name of ['a', 'b', 'c']) await bo.sees(`${name}.pdf`);
  await bo.opens('Home of Dropline');
  await bo.sees('Inbox');
  expect(bo.screen()).not.toContain('Taken by you');
  await bo.types('/drop inbox', { in: '#inbox' });
  await bo.sees('3 items, newest first.');
  expect(bo.screen()).not.toContain('My items');
  await bo.clicks('Take 1 file from a@example.org');
  await bo.sees('You have taken 1 file from a@example.org.');
  await bo.clicks('Done 1 file from b@example.org');
  await bo.sees('You marked 1 file from b@example.org as done.');
  for (const [filter, title, shownFile] of [
    ['Open items', '1 open item', 'c.pdf'],
    ['My items', '1 item that you took', 'a.pdf'],
    ['Done items', '1 done item', 'b.pdf'],
  ] as const) {
    await bo.clicks(filter);
    await bo.sees(`${title}, newest first.`);
    const filters = ['All items', 'Not downloaded', 'Open items', 'Done items', 'My items'];
    await bo.sees(filters.map((label) => `[${label === filter ? '✓ ' : ''}${label}]`).join(' '));
    expect(['a.pdf', 'b.pdf', 'c.pdf'].filter((name) => bo.screen().includes(name))).toEqual([shownFile]);
    expect(bo.screen()).not.toContain('[Take over…]');
  }
  await bo.clicks('All items');
  await bo.sees('3 items, newest first.');
  await bo.closes();
  await bo.opens('Home of Dropline');
  await bo.sees(/Taken by you[\s\S]*a\.pdf from a@example\.org, since/);
  await bo.clicks('View what you took');
  await bo.sees('1 item that you took, newest first.');
  await anna.opens('Home of Dropline');
  await anna.sees('Inbox');
  expect(anna.screen()).not.toContain('Taken by you');
});
