import { expect, test } from 'vitest';
import { hurry } from '../helpers/contacts.ts';
import { until } from '../helpers/features.ts';
import { type InboxApp, newsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const troubles: [string, string, (app: InboxApp) => void, (app: InboxApp) => void][] = [
  ['archived', 'The channel is archived.', ({ inbox }) => inbox.archive(), ({ inbox }) => inbox.unarchive()],
  [
    'shared with another organisation',
    'People from other organisations are in it now',
    ({ inbox }) => inbox.share(),
    ({ inbox }) => inbox.unshare(),
  ],
  [
    'left by the bot',
    'I am not in it any more. Type /invite @dropline there.',
    ({ inbox }) => inbox.remove('app'),
    ({ inbox }) => inbox.add('app'),
  ],
];

test.each(troubles)(
  'a channel that is %s gets no post: whoever set it is told once, and what waits comes when it is mended',
  async (_, words, breakIt, mendIt) => {
    const app = await setUpInboxApp(postgres);
    const { bo, anna, arrive, inbox, slack } = app;
    const before = inbox.messages.length;
    breakIt(app);
    await arrive('carl@example.org', ['plan.pdf']);
    await anna.opens('Dropline');
    await anna.sees(words);
    await anna.sees('Nothing is lost');
    await arrive('dora@example.net', ['map.png']);
    const tries = () => slack.calls.filter(({ method }) => method === 'conversations.info').length;
    const sofar = tries();
    await until(() => tries() > sofar + 3 || undefined, 'more tries');
    expect(inbox.messages.length).toBe(before);
    expect(anna.messages.filter(({ text }) => text.includes('cannot be announced'))).toHaveLength(1);
    // Until then it can be had all the same.
    await anna.types('/drop inbox');
    await anna.sees('plan.pdf');
    mendIt(app);
    await bo.sees('1 file from carl@example.org');
    await bo.sees('1 file from dora@example.net');
  },
);

test('of several admins the one who chose the channel is told, in the settings or by a route', async () => {
  const { acme, anna, arrive } = await setUpInboxApp(postgres);
  const ada = acme.addPerson({ name: 'Ada', role: 'admin' });
  const other = acme.addChannel({ name: 'other', members: [anna, ada, 'app'] });
  const net = acme.addChannel({ name: 'net', members: [anna, ada, 'app'] });
  await ada.types('/drop settings', { in: '#other' });
  await ada.clicks('Change incoming files');
  await ada.picks('Channel for incoming files', 'other');
  await ada.submits('Save');
  await ada.sees('New files are announced in #other');
  await ada.clicks('Change routes');
  await ada.clicks('Add a route');
  await ada.fills('Sender', 'example.net');
  await ada.picks('Channel', 'net');
  await ada.submits('Add this route');
  await ada.sees('example.net → #net');
  await ada.closes();
  await ada.opens('Dropline');
  for (const [channel, sender] of [
    [other, 'carl@example.org'],
    [net, 'dora@example.net'],
  ] as const) {
    channel.archive();
    await arrive(sender, ['plan.pdf']);
    await ada.sees(`New files cannot be announced in #${channel.name}. The channel is archived.`);
  }
  expect(anna.messages.filter(({ text }) => text.includes('cannot be announced'))).toEqual([]);
});

test('a channel in which the bot may not post is left alone, and another that is chosen instead gets what waits', async () => {
  // It is tried again when the test says so: by itself it could be before the other channel is chosen.
  const timing = { noChannelPauseMs: 60_000 };
  const { bo, anna, arrive, acme, slack, set, services } = await setUpInboxApp(postgres, { timing });
  // The faults are for announcements, not for the welcome.
  await anna.opens('Dropline');
  await anna.sees('Hello! I send files');
  const fault = slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'restricted_action' });
  await arrive('carl@example.org', ['plan.pdf']);
  await fault.struck;
  await anna.sees('Only some people may post there');
  const other = acme.addChannel({ name: 'other', members: [anna, bo, 'app'] });
  const missing = slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'channel_not_found' });
  await set({ inboxChannel: other.id });
  await until(async () => {
    await hurry(services);
    return newsIn(other).length > 0 || undefined;
  }, 'the post in the other channel');
  await missing.struck;
  await bo.opens('#other');
  await bo.sees('1 file from carl@example.org');
});

test('what Slack refuses for good is not posted again and again, and somebody is told why', async () => {
  const { anna, arrive, slack, inbox, logged } = await setUpInboxApp(postgres, {
    timing: { noChannelPauseMs: 60_000 },
  });
  await anna.opens('Dropline');
  await anna.sees('Hello! I send files');
  const refusals = [
    ['ekm_access_denied', 'An admin of Slack has suspended posting there.'],
    ['team_access_not_granted', 'The app is not allowed in the workspace that the channel belongs to.'],
    ['restricted_action_non_threadable_channel', 'Only some people may post there'],
    ['restricted_action_thread_locked', 'Only some people may post there'],
  ] as const;
  for (const [error, words] of refusals) {
    const fault = slack.addFault({ method: 'chat.postMessage', kind: 'error', error });
    await arrive('carl@example.org', [`${error}.pdf`]);
    await fault.struck;
    await anna.sees(words);
  }
  expect(inbox.messages.filter(({ text }) => text.includes('.pdf'))).toEqual([]);
  expect(logged()).not.toContain('job failed');
});

test('a post in a channel that is shared later shows nothing new to those who have come', async () => {
  const { anna, bo, arrive, account, inbox, services } = await setUpInboxApp(postgres);
  await arrive('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  inbox.share();
  account.inbox[0]?.files.push({ name: 'secret.pdf', type: '', bytes: 1, sha256: '' });
  await until(async () => {
    await anna.types('/drop inbox');
    await anna.sees('1 item,');
    const isKnown = anna.screen().includes('secret.pdf');
    await anna.closes();
    return isKnown || undefined;
  }, 'the file to be known');
  // What is known is shown in the post at once, if at all.
  const changing = 'select from dropline.inbox_items where changed_at is not null';
  await until(
    async () => (await services.store.pool.query(changing)).rowCount === 0 || undefined,
    'it to be dealt with',
  );
  await bo.doesNotSee('secret.pdf');
});
