import { expect } from 'vitest';
import { until } from '../helpers/features.ts';
import { type InboxApp, setUpInboxApp } from '../helpers/inbox-app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

interface ChannelTrouble {
  /** Shown to the admin. */
  words: string;
  breakIt(app: InboxApp): void;
  repair(app: InboxApp): void;
}

/** Expects no posts and one message to an admin while the channel is unusable, and all posts after the repair. */
export async function announcesLater(
  postgres: TestPostgres,
  { words, breakIt, repair }: ChannelTrouble,
): Promise<void> {
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
  // `/drop inbox` still lists the files.
  await anna.types('/drop inbox');
  await anna.sees('plan.pdf');
  repair(app);
  await bo.sees('1 file from carl@example.org');
  await bo.sees('1 file from dora@example.net');
}
