import { expect, test } from 'vitest';
import { runJobsNow } from '../helpers/contacts.ts';
import { until } from '../helpers/features.ts';
import { announcementsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { expectDelayedPosts } from './inbox-channel-problems.ts';

const postgres = startTestPostgres();

test('an archived channel gets no post; waiting items are posted once it is restored', async () => {
  await expectDelayedPosts(postgres, {
    message: 'The channel is archived.',
    breakChannel: ({ inbox }) => inbox.archive(),
    restore: ({ inbox }) => inbox.unarchive(),
  });
});

test('items for a channel without the bot wait and are posted once the bot is back', async () => {
  await expectDelayedPosts(postgres, {
    message: "I'm no longer in it. Type /invite @dropline there.",
    breakChannel: ({ inbox }) => inbox.remove('app'),
    restore: ({ inbox }) => inbox.add('app'),
  });
});

test('only the admin who chose an inbox channel is notified of its problems', async () => {
  const { acme, anna, addItem } = await setUpInboxApp(postgres);
  const ada = acme.addPerson({ name: 'Ada', role: 'admin' });
  const other = acme.addChannel({ name: 'other', members: [anna, ada, 'app'] });
  const net = acme.addChannel({ name: 'net', members: [anna, ada, 'app'] });
  await ada.types('/drop settings', { in: '#other' });
  await ada.clicks('Change inbox channels');
  for (const [channel, sender] of [
    ['other', 'example.org'],
    ['net', 'example.net'],
  ] as const) {
    await ada.clicks('Add channel');
    await ada.picks('Channel', channel);
    await ada.fills('Senders', sender);
    await ada.submits('Add');
    await ada.sees(`#${channel} · ${sender} · every item`);
  }
  await ada.closes();
  await ada.opens('Dropline');
  for (const [channel, sender] of [
    [other, 'carl@example.org'],
    [net, 'dora@example.net'],
  ] as const) {
    channel.archive();
    await addItem(sender, ['plan.pdf']);
    await ada.sees(`New files can't be posted in #${channel.name}. The channel is archived.`);
  }
  expect(anna.messages.filter(({ text }) => text.includes("can't be posted"))).toEqual([]);
});

test("waiting items go to the new channel when the bot can't post in the old one", async () => {
  // The test triggers the retry: an automatic one could run before the other channel is chosen.
  const timing = { noChannelPauseMs: 60_000 };
  const { bo, anna, addItem, acme, slack, changeSettings, services } = await setUpInboxApp(postgres, { timing });
  // Wait for the welcome message so that the faults hit the announcements.
  await anna.opens('Dropline');
  await anna.sees('Hello! I send files');
  const fault = slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'restricted_action' });
  await addItem('carl@example.org', ['plan.pdf']);
  await fault.triggered;
  await anna.sees('Posting there is restricted');
  const other = acme.addChannel({ name: 'other', members: [anna, bo, 'app'] });
  const missing = slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'channel_not_found' });
  await changeSettings({ inboxChannels: [inboxChannel(other.id)] });
  await until(async () => {
    await runJobsNow(services);
    return announcementsIn(other).length > 0 || undefined;
  }, 'the post in the other channel');
  await missing.triggered;
  await bo.opens('#other');
  await bo.sees('1 file from carl@example.org');
});

test("a permanent refusal by Slack isn't retried, and an admin learns why", async () => {
  const { anna, addItem, slack, inbox, logged } = await setUpInboxApp(postgres, {
    timing: { noChannelPauseMs: 60_000 },
  });
  await anna.opens('Dropline');
  await anna.sees('Hello! I send files');
  const refusals = [
    ['ekm_access_denied', 'A Slack admin has suspended posting there.'],
    ['team_access_not_granted', "The app isn't approved in the channel's workspace."],
    ['restricted_action_non_threadable_channel', 'Posting there is restricted'],
    ['restricted_action_thread_locked', 'Posting there is restricted'],
  ] as const;
  for (const [error, message] of refusals) {
    const fault = slack.addFault({ method: 'chat.postMessage', kind: 'error', error });
    await addItem('carl@example.org', [`${error}.pdf`]);
    await fault.triggered;
    await anna.sees(message);
  }
  expect(inbox.messages.filter(({ text }) => text.includes('.pdf'))).toEqual([]);
  expect(logged()).not.toContain('job failed');
});

test("a post isn't updated with new files once its channel is shared", async () => {
  const { anna, bo, addItem, account, inbox, services } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  inbox.share();
  account.inbox[0]?.files.push({ name: 'secret.pdf', type: '', bytes: 1, sha256: '' });
  await until(async () => {
    await anna.types('/drop inbox');
    await anna.sees('1 item,');
    const isListed = anna.screen().includes('secret.pdf');
    await anna.closes();
    return isListed || undefined;
  }, 'the new file to be listed');
  // The post would be updated in the same step that clears `changed_at`.
  const unprocessed = 'select from dropline.inbox_items where changed_at is not null';
  await until(
    async () => (await services.store.pool.query(unprocessed)).rowCount === 0 || undefined,
    'the change to be processed',
  );
  await bo.doesNotSee('secret.pdf');
});
