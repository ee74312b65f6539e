import { expect, test } from 'vitest';
import { queueDailyChecks } from '../../src/features/settings/channels/jobs.ts';
import { saveChannel } from '../../src/features/settings/channels/operations.ts';
import { channelCheckRuns, channelChecks } from '../../src/features/settings/channels/repository.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { runJobsNow } from '../helpers/contacts.ts';
import { until } from '../helpers/features.ts';
import { changeInboxChannel, inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

/** Resolves with the check of a channel once it has a result. */
const resultOf = ({ services, acme }: AppSetup, channel: string) =>
  until(
    async () => (await services.store.collection(channelChecks).get(acme.id, channel))?.result,
    'the result of a check',
  );

/** Makes the checks of all channels due, as a day later, and queues their job. */
async function skipDay({ services, acme }: AppSetup): Promise<void> {
  const checks = services.store.collection(channelChecks);
  for (const channel of (await checks.list(acme.id)).keys())
    await checks.update(acme.id, (check) => check && { ...check, dueAt: 0, result: undefined }, {
      name: channel,
    });
  await services.store.collection(channelCheckRuns).delete(acme.id);
  await queueDailyChecks(services);
  await runJobsNow(services);
}

const guestMessages = ({ anna }: AppSetup) => anna.messages.filter(({ text }) => text.includes('guest'));

test('saving a channel with a guest asks once; its line says so, with the date', async () => {
  const app = await setUpApp(postgres);
  const { anna, bo, gus, acme } = app;
  const inbox = acme.addChannel({ name: 'inbox', members: [anna, bo, gus, 'app'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.clicks('Add channel');
  await anna.picks('Channel', 'inbox');
  await anna.fills('Senders', 'example.org');
  await anna.submits('Add');
  await anna.sees('⚠️ #inbox has 1 guest, who will see senders and file names.');
  await anna.sees('Senders (optional): example.org');
  await anna.submits('Use it anyway');
  await anna.sees('✅ Saved.');
  expect(await resultOf(app, inbox.id)).toEqual({ at: expect.any(Number), guests: 1 });
  await anna.clicks('Back');
  await anna.clicks('Change inbox channels');
  await anna.sees(/⚠️ It has 1 guest, who will see senders and file names\. Checked \d{4}-\d\d-\d\d/);
  await anna.clicks('Change channel for example.org');
  await anna.picks('Post', 'Every hour');
  await anna.submits('Save');
  await anna.sees('#inbox · example.org · hourly');
  await skipDay(app);
  await resultOf(app, inbox.id);
  expect(guestMessages(app)).toEqual([]);
});

test("the question about a guest doesn't hide a change by another admin", async () => {
  const { anna, gus, acme, services } = await setUpApp(postgres);
  const legal = acme.addChannel({ name: 'legal', members: [anna, 'app'] });
  acme.addChannel({ name: 'inbox', members: [anna, gus, 'app'] });
  const admin = { workspace: acme.id, person: anna.id };
  await saveChannel(services, admin, inboxChannel(legal.id, { senders: ['example.org'] }));
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.clicks('Change channel for example.org');
  await anna.picks('Channel', 'inbox');
  await changeInboxChannel(services, admin, legal.id, { senders: ['example.org', 'example.net'] });
  await anna.submits('Save');
  await anna.sees('This inbox channel was changed or removed by someone else.');
});

test('the admin who saved a channel gets one message about guests who joined later', async () => {
  const app = await setUpApp(postgres);
  const { anna, gus, acme } = app;
  const inbox = acme.addChannel({ name: 'inbox', members: [anna, 'app'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.clicks('Add channel');
  await anna.picks('Channel', 'inbox');
  await anna.picks('Everything else', 'Post here too');
  await anna.submits('Add');
  await anna.sees('✅ Saved.');
  expect(await resultOf(app, inbox.id)).toMatchObject({ guests: 0 });
  await anna.clicks('Back');
  await anna.clicks('Change inbox channels');
  await anna.sees('No guests. Checked');
  await anna.closes();
  inbox.add(gus);
  for (let day = 0; day < 2; day += 1) {
    await skipDay(app);
    expect(await resultOf(app, inbox.id)).toMatchObject({ guests: 1 });
  }
  await anna.opens('Dropline');
  await anna.sees(
    '⚠️ #inbox has 1 guest, who will see senders and file names. Remove them from the channel, or choose another one',
  );
  expect(guestMessages(app)).toHaveLength(1);
});

test('a check makes at most 20 calls at a time and continues where it stopped', async () => {
  const app = await setUpApp(postgres, { timing: { channelCheckMs: 60_000 } });
  const { anna, acme, services, slack } = app;
  const guests = [acme.addPerson({ name: 'Gina', role: 'guest' }), acme.addPerson({ name: 'Gil', role: 'guest' })];
  const others = Array.from({ length: 40 }, (_, number) => acme.addPerson({ name: `P${number}` }));
  const large = acme.addChannel({ name: 'large', members: [anna, ...others, ...guests, 'app'] });
  const checks = services.store.collection(channelChecks);
  const membersLeft = async () => (await checks.get(acme.id, large.id))?.progress?.members?.length;
  const ids = [...others, ...guests].map(({ id }) => id);
  const lookedUp = () =>
    slack.calls.flatMap(({ method, arguments: { user } }) =>
      method === 'users.info' && ids.includes(String(user)) ? [user] : [],
    );
  await saveChannel(services, { workspace: acme.id, person: anna.id }, inboxChannel(large.id));
  // Two of the 20 calls start the check. The channel has 44 members.
  await until(async () => (await membersLeft()) === 26 || undefined, 'the first part');
  expect(lookedUp().length).toBeLessThanOrEqual(18);
  // The next job waits for a minute, also if it is queued again.
  await runJobsNow(services);
  await until(async () => {
    const sql = `select from graphile_worker.jobs where key like $1 and run_at > now() + interval '30 s'`;
    return (await services.store.pool.query(sql, [`check-inbox-channels ${acme.id} %`])).rowCount === 1 || undefined;
  }, 'the postponed job');
  expect(await membersLeft()).toBe(26);
  for (const rest of [6, undefined]) {
    await services.store.collection(channelCheckRuns).delete(acme.id);
    await runJobsNow(services);
    await until(async () => (await membersLeft()) === rest || undefined, 'the next part');
  }
  expect(await resultOf(app, large.id)).toMatchObject({ guests: 2 });
  expect(lookedUp().sort()).toEqual(ids.sort());
});

test('a channel with more than 200 members may have guests', async () => {
  const app = await setUpApp(postgres);
  const { anna, acme, services, slack } = app;
  const people = Array.from({ length: 200 }, (_, number) => acme.addPerson({ name: `P${number}` }));
  const large = acme.addChannel({ name: 'large', members: [anna, ...people, 'app'] });
  await saveChannel(services, { workspace: acme.id, person: anna.id }, inboxChannel(large.id));
  expect(await resultOf(app, large.id)).toEqual({ at: expect.any(Number) });
  expect(slack.calls.filter(({ method }) => method === 'users.info').length).toBeLessThan(10);
  await anna.types('/drop settings', { in: '#large' });
  await anna.clicks('Change inbox channels');
  await anna.sees('⚠️ It may have guests: it has more than 200 members. Checked');
});

test("a channel that can't be checked doesn't keep the others from it", async () => {
  const app = await setUpApp(postgres);
  const { anna, acme, services, slack } = app;
  const channels = ['one', 'two'].map((name) => acme.addChannel({ name, members: [anna, 'app'] }));
  const inboxChannels = channels.map(({ id, name }) => inboxChannel(id, { senders: [`${name}.example`] }));
  slack.addFault({ method: 'conversations.members', kind: 'error', error: 'internal_error' });
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { inboxChannels });
  const [failed, checked] = channels.map(({ id }) => id);
  expect(await resultOf(app, checked ?? '')).toEqual({ at: expect.any(Number), guests: 0 });
  const check = await services.store.collection(channelChecks).get(acme.id, failed);
  expect(check?.result).toBeUndefined();
  expect(check?.dueAt).toBeGreaterThan(Date.now());
});
