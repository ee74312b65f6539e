import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpWatched } from './watched-channels.ts';

const postgres = startTestPostgres();

test('a person who shares files in a watched channel gets one private answer', async () => {
  const { anna, bo, acme, account, slack } = await setUpApp(postgres, { timing: { batchMs: 1_000 } });
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
  await bo.sees('Ready to send: map.png and plan.pdf.');
  await slack.settled();
  await anna.doesNotSee('Ready to send');
  expect(plans.messages.filter(({ botId }) => botId !== undefined)).toMatchObject([{ ephemeralTo: bo.id }]);

  await bo.clicks('Send 2 files…');
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
});

test("in watched channels, people who can't send, strangers and bots get no answer", async () => {
  const may = { send: 'admins', request: 'everyone', download: 'everyone', contacts: 'everyone' } as const;
  const { anna, bo, gus, acme, plans, stagedOf, slack } = await setUpWatched(postgres, { may });
  const sid = acme.addPerson({ name: 'Sid', role: 'stranger' });
  const robot = acme.addPerson({ name: 'Robot', role: 'bot' });
  // The channel was shared with another organisation after the admin chose it.
  plans.share();
  for (const person of [sid, robot]) plans.add(person);
  for (const person of [bo, gus, sid, robot]) {
    await person.shares([{ name: `${person.name}.txt`, data: person.name }], { in: '#plans' });
  }
  await slack.settled();
  await anna.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: '#plans' });
  await anna.sees('Ready to send: plan.pdf.');
  expect(plans.messages.filter(({ botId, userId }) => botId !== undefined && userId !== robot.id)).toMatchObject([
    { ephemeralTo: anna.id },
  ]);
  for (const person of [bo, gus, sid, robot]) expect(await stagedOf(person), person.name).toEqual([]);
  for (const person of [bo, gus, sid])
    expect(person.messages.filter(({ destination }) => destination === 'Dropline')).toEqual([]);
});
