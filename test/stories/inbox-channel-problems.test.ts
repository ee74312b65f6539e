import { test } from 'vitest';
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
