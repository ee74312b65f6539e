import { expect, test } from 'vitest';
import { readDraft } from '../../src/features/staging/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpWatchedChannel } from './watched-channels.ts';

const postgres = startTestPostgres();

test('a person who shares files in a watched channel is asked privately, once', async () => {
  const { anna, bo, acme, account, slack, services } = await setUpApp(postgres, { timing: { batchMs: 1_000 } });
  const plans = acme.addChannel({ name: 'plans', members: [anna, bo, 'app'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change sending');
  await anna.picks('Watched channels', 'plans');
  await anna.submits('Save');
  await anna.sees('✅ Saved.');
  await anna.closes();
  await anna.opens('#plans');
  await bo.opens('#plans');
  slack.addFault({ delivery: 'event', event: 'file_shared', kind: 'repeat' });
  await bo.shares(
    [
      { name: 'plan.pdf', data: 'the plan' },
      { name: 'map.png', data: 'the map' },
    ],
    { text: 'for everybody here' },
  );
  await bo.sees('Send map.png and plan.pdf securely?');
  await slack.untilIdle();
  await anna.doesNotSee('securely?');
  expect(plans.messages.filter(({ botId }) => botId !== undefined)).toMatchObject([{ ephemeralTo: bo.id }]);
  const draft = await readDraft(services, { workspace: acme.id, person: bo.id });
  expect(draft.staged).toEqual([]);

  await bo.clicks('Send securely…');
  await bo.picks('To', 'carl');
  await bo.submits('Review');
  await bo.submits('Send 2 files to 1 person');
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
  expect(account.drops[0]?.files.map(({ sha256: sum }) => sum).sort()).toEqual(
    [sha256('the map'), sha256('the plan')].sort(),
  );
  expect(plans.messages.filter(({ ephemeralTo }) => ephemeralTo === undefined)).toHaveLength(1);
  await bo.opens('#plans');
  await bo.doesNotSee('securely?');
});

test('the Dismiss button deletes the question in a watched channel; no file is staged', async () => {
  const { bo, plans, stagedOf, untilIdle } = await setUpWatchedChannel(postgres);
  await bo.opens('#plans');
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.sees('Send plan.pdf securely?');
  await bo.clicks('Dismiss');
  await bo.doesNotSee('securely?');
  await untilIdle();
  expect(await stagedOf(bo)).toEqual([]);
  expect(plans.messages).toHaveLength(1);
  expect(bo.messages.filter(({ text }) => text.includes('⚠️'))).toEqual([]);
});

test("in watched channels, bots and people who can't send get no question", async () => {
  const { anna, bo, gus, acme, plans, stagedOf, slack } = await setUpWatchedChannel(postgres, { senders: 'admins' });
  const sid = acme.addPerson({ name: 'Sid', role: 'stranger' });
  const robot = acme.addPerson({ name: 'Robot', role: 'bot' });
  // The channel was shared with another organisation after the admin chose it.
  plans.share();
  for (const person of [sid, robot]) plans.add(person);
  for (const person of [bo, gus, sid, robot]) {
    await person.shares([{ name: `${person.name}.txt`, data: person.name }], { in: '#plans' });
  }
  await slack.untilIdle();
  await anna.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: '#plans' });
  await anna.sees('Send plan.pdf securely?');
  expect(plans.messages.filter(({ botId, userId }) => botId !== undefined && userId !== robot.id)).toMatchObject([
    { ephemeralTo: anna.id },
  ]);
  for (const person of [bo, gus, sid, robot]) expect(await stagedOf(person), person.name).toEqual([]);
  for (const person of [bo, gus, sid])
    expect(person.messages.filter(({ destination }) => destination === 'Dropline')).toEqual([]);
});

test('a file deleted before its event arrives is not staged; only its sender is told', async () => {
  const { bo, slack, stagedOf, untilIdle } = await setUpWatchedChannel(postgres);
  const text = '⚠️ A file that you sent me was deleted before I could read it. Send it again if you need it.';
  for (const where of ['Dropline', '#plans']) {
    const late = slack.addFault({ delivery: 'event', event: 'file_shared', kind: 'delay' });
    await bo.opens(where);
    await bo.shares([{ name: 'plan.pdf', data: 'the plan' }]);
    await late.triggered;
    await bo.deletesFile('plan.pdf');
    late.release();
    await untilIdle();
  }
  expect(await stagedOf(bo)).toEqual([]);
  expect(bo.messages.filter((message) => message.text === text)).toHaveLength(1);
});

test('files shared in a thread are answered in that thread, also in a direct message', async () => {
  const { bo, plans, acme, untilIdle } = await setUpWatchedChannel(postgres);
  for (const where of ['#plans', 'Dropline']) {
    await bo.opens(where);
    await bo.types(`Talk in ${where}`);
    await bo.shares([{ name: 'inside.pdf', data: 'inside' }], { thread: `Talk in ${where}` });
    if (where === '#plans') await bo.shares([{ name: 'outside.pdf', data: 'outside' }]);
    await untilIdle();
  }
  const [talk] = plans.messages;
  expect(plans.messages.filter(({ ephemeralTo }) => ephemeralTo === bo.id)).toMatchObject([
    { text: 'Send inside.pdf securely?', threadTs: talk?.ts },
    { text: 'Send outside.pdf securely?' },
  ]);
  const direct = acme.channels.flatMap(({ messages }) => messages);
  const { ts } = direct.find(({ text }) => text === 'Talk in Dropline') ?? {};
  expect(direct.filter(({ text }) => text.startsWith('Ready to send'))).toMatchObject([{ threadTs: ts }]);
});
