import { test } from 'vitest';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { expectDelayedPosts } from './inbox-channel-problems.ts';

const postgres = startTestPostgres();

test('a shared channel gets no post; waiting items are posted once it is unshared', async () => {
  await expectDelayedPosts(postgres, {
    message: "It's now shared with another organisation",
    breakChannel: ({ inbox }) => inbox.share(),
    restore: ({ inbox }) => inbox.unshare(),
  });
});

test('a post is not updated with new files once its channel is shared', async () => {
  const { anna, bo, arrive, account, inbox, services } = await setUpInboxApp(postgres);
  await arrive('carl@example.org', ['plan.pdf']);
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
