import { expect, test } from 'vitest';
import { channelChecks } from '../../src/features/settings/channels/repository.ts';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test("each problem of an inbox channel is on its line, with the fix, until it's fixed", async () => {
  const { anna, acme, inbox, services, changeInbox } = await setUpInboxApp(postgres);
  inbox.setKind('private');
  await changeInbox({ senders: ['example.org'] });
  await until(
    async () => (await services.store.collection(channelChecks).get(acme.id, inbox.id))?.wasPrivate,
    'the check after saving',
  );
  const steps: [() => void, () => void, string][] = [
    [
      () => inbox.remove('app'),
      () => inbox.add('app'),
      "It was deleted, or it's private and I'm not in it: type /invite",
    ],
    [() => inbox.archive(), () => inbox.unarchive(), "It's archived, so nothing is posted. Unarchive it,"],
    [() => inbox.share(), () => inbox.unshare(), "It's shared with another organisation, so nothing is posted."],
    [() => inbox.setKind('public'), () => inbox.setKind('private'), 'It became public, so everyone in the workspace'],
  ];
  await anna.types('/drop settings', { in: '#general' });
  for (const [breakChannel, fix, text] of steps) {
    breakChannel();
    await anna.clicks('Change inbox channels');
    await anna.sees(`⚠️ ${text}`);
    await anna.clicks('Back');
    fix();
    await anna.clicks('Change inbox channels');
    await anna.sees('#inbox · example.org and everything else · every item');
    expect(anna.screen()).not.toContain(text);
    await anna.clicks('Back');
  }
});

test('a public inbox channel without the bot says so; saving accepts that it is public', async () => {
  const { anna, acme, inbox, services, changeInbox } = await setUpInboxApp(postgres);
  const checks = services.store.collection(channelChecks);
  inbox.setKind('private');
  await changeInbox({ senders: ['example.org'] });
  await until(async () => (await checks.get(acme.id, inbox.id))?.wasPrivate, 'the check after saving');
  inbox.setKind('public');
  inbox.remove('app');
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.sees("⚠️ I'm not in it. Type /invite @dropline there.");
  inbox.add('app');
  await anna.clicks('Back');
  await anna.clicks('Change inbox channels');
  await anna.sees('⚠️ It became public');
  await anna.clicks('Change channel for example.org');
  await anna.submits('Save');
  await anna.doesNotSee('became public');
});
