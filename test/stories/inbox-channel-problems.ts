import { expect } from 'vitest';
import { until } from '../helpers/features.ts';
import { type InboxApp, setUpInboxApp } from '../helpers/inbox-app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

interface ChannelProblem {
  /** Shown to the admin. */
  message: string;
  breakChannel(app: InboxApp): void;
  restore(app: InboxApp): void;
}

/** Expects no posts and one message to an admin while the channel is unusable, and all posts once it is restored. */
export async function expectDelayedPosts(
  postgres: TestPostgres,
  { message, breakChannel, restore }: ChannelProblem,
): Promise<void> {
  const app = await setUpInboxApp(postgres);
  const { bo, anna, addItem, inbox, slack } = app;
  const before = inbox.messages.length;
  breakChannel(app);
  // The check before an earlier post can still be valid: here for 100 ms, five times the pause between posts.
  await new Promise((resolve) => setTimeout(resolve, 150));
  await addItem('carl@example.org', ['plan.pdf']);
  await anna.opens('Dropline');
  await anna.sees(message);
  await anna.sees('Nothing is lost');
  await addItem('dora@example.net', ['map.png']);
  const attempts = () => slack.calls.filter(({ method }) => method === 'conversations.info').length;
  const attemptsBefore = attempts();
  await until(() => attempts() > attemptsBefore + 3 || undefined, 'more attempts');
  expect(inbox.messages.length).toBe(before);
  expect(anna.messages.filter(({ text }) => text.includes("can't be posted"))).toHaveLength(1);
  // `/drop inbox` still lists the files.
  await anna.types('/drop inbox');
  await anna.sees('plan.pdf');
  restore(app);
  await bo.sees('1 file from carl@example.org');
  await bo.sees('1 file from dora@example.net');
}
