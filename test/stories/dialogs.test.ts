import { expect, test } from 'vitest';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { reviews, stages } from '../helpers/send-steps.ts';
import { queueBehindAnna } from './send.ts';

const postgres = startTestPostgres();
const plan = { name: 'plan.pdf', data: 'the plan' };

test('the review modal shows the progress of its transfer until it is sent', async () => {
  const { bo, exchange, account } = await setUpApp(postgres);
  await stages(bo, [plan]);
  await reviews(bo);
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await bo.submits('Send 1 file to 1 person');
  await slow.triggered;
  await bo.sees('== Sending ==');
  await slow.release();
  await bo.sees('== Transfer ==');
  expect(bo.screen()).toContain('✅ Sent');
  expect(bo.screen()).toContain("If anything changes, I'll update you in our direct messages.");
  expect(account.drops).toHaveLength(1);
});

test('a transfer can be cancelled although its card changes in between', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, slack, account } = setup;
  const slow = await queueBehindAnna(setup);
  await bo.clicks('Cancel');
  await bo.sees('Cancel this transfer?');
  const next = setup.exchange.addFault({ operation: 'upload', kind: 'delay' });
  const updates = () => slack.calls.filter(({ method }) => method === 'chat.update').length;
  await slow.release();
  await next.triggered;
  const before = updates();
  await expect.poll(updates).toBeGreaterThan(before);
  await bo.confirms('Cancel transfer');
  await next.release();
  await bo.sees('Cancelled');
  await anna.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
});

test('the inbox modal shows when a download has arrived', async () => {
  const { bo, addItem, exchange } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('1 file from carl@example.org');
  const slow = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.types('/drop inbox');
  await bo.sees('newest first');
  await bo.clicks('Download plan.pdf');
  await bo.sees("I'll send you “plan.pdf”");
  await slow.triggered;
  await slow.release();
  await bo.sees('“plan.pdf” is in our direct messages.');
  expect(bo.screen()).toContain('Downloaded by @Bo');
  expect(bo.screen()).not.toContain("I'll send you");
});

/** The modals that were opened with a trigger, as they were at first. */
const openedWithTrigger = ({ slack }: Pick<AppSetup, 'slack'>) =>
  slack.calls.filter(({ method }) => ['views.open', 'views.push'].includes(method)).map((call) => JSON.stringify(call));

test("settings open although Slack's answer comes after their trigger has expired", async () => {
  const { slack, anna } = await setUpInboxApp(postgres);
  const { triggerMs } = slack.behaviour;
  for (const [title, label, ...before] of [
    ['Downloads', 'Change downloads'],
    ['Approval rules', 'Change approval rules'],
    ['File rules', 'Change file rules'],
    ['Inbox channels', 'Change inbox channels'],
    ['Change inbox channel', 'Change', 'Change inbox channels'],
    ['Add inbox channel', 'Add channel', 'Change inbox channels'],
    ['Pause sending', 'Pause sending…', 'Pause or resume'],
  ] as const) {
    await anna.types('/drop settings', { in: '#general' });
    for (const step of before) await anna.clicks(step);
    await anna.sees(`[${label}]`);
    const slow = slack.addFault({ method: 'users.info', kind: 'delay' });
    await anna.clicks(label);
    await slow.triggered;
    slack.behaviour.triggerMs = 0;
    slow.release();
    await anna.sees(`== ${title} ==`);
    await anna.doesNotSee('One moment…');
    slack.behaviour.triggerMs = triggerMs;
    await anna.closes();
  }
});

test('every modal opens as a loading view', async () => {
  const setup = await setUpApp(postgres);
  const { bo } = setup;
  await bo.types('/drop send', { in: '#general' });
  await bo.clicks('New contact…');
  await bo.fills('Email', 'fia@example.org');
  await bo.closes();
  await bo.types('/drop recipients', { in: '#general' });
  await bo.picks('Recipients of your next transfer', 'new@person.example');
  await bo.sees('Email: new@person.example');
  await bo.closes();
  await bo.opens('Home of Dropline');
  await bo.clicks('Help');
  await bo.sees('/drop send');
  const opened = openedWithTrigger(setup);
  expect(opened).toHaveLength(5);
  for (const view of opened) expect(view).toContain('One moment…');
});
