import { setUpInboxApp } from '../helpers/inbox-app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** An app that delivers files to the thread of a post, which the test can delete. */
export async function withPost(postgres: TestPostgres) {
  const app = await setUpInboxApp(postgres);
  const { acme, arrive, bo, inbox, services, set } = app;
  await set({ delivery: 'thread' });
  await arrive('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  const { ts = '' } = inbox.messages.find(({ text }) => text.includes('carl@example.org')) ?? {};
  const deletePost = async () => {
    await (await services.slack.clientOf(acme.id)).chat.delete({ channel: inbox.id, ts });
  };
  return { ...app, deletePost };
}
