import { expect } from 'vitest';
import { until } from '../helpers/features.ts';
import { type InboxApp, setUpInboxApp } from '../helpers/inbox-app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

interface ChannelTrouble {
  /** What the admin is told. */
  words: string;
  breakIt(app: InboxApp): void;
  mendIt(app: InboxApp): void;
}

/** A channel that cannot be used gets no post: an admin is told once, and what waits comes when it is mended. */
export async function announcesLater(
  postgres: TestPostgres,
  { words, breakIt, mendIt }: ChannelTrouble,
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
  // Until then it can be had all the same.
  await anna.types('/drop inbox');
  await anna.sees('plan.pdf');
  mendIt(app);
  await bo.sees('1 file from carl@example.org');
  await bo.sees('1 file from dora@example.net');
}
