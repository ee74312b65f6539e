import { expect, test } from 'vitest';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('if a channel becomes shared, it gets no posts once its last check has expired', async () => {
  const { inbox, acme, anna, services, slack } = await setUpInboxApp(postgres, { postMs: 100 });
  const before = inbox.messages.length;
  // A check is valid for five times the pause between posts.
  const posts = Array.from({ length: 20 }, () =>
    services.notifier.channelChosen({ workspace: acme.id, person: anna.id }, inbox.id),
  );
  await until(() => inbox.messages.length > before || undefined, 'the first post');
  inbox.share();
  const sharedAt = Date.now();
  await Promise.all(posts);
  const count = inbox.messages.length - before;
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(6);
  const attempts = slack.calls.filter(({ method, at }) => method === 'chat.postMessage' && at > sharedAt + 600);
  expect(attempts).toEqual([]);
});
