import { type InboxApp, setUpInboxApp } from '../helpers/inbox-app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** An app that delivers files to the thread of their post. The test can delete the post. */
export async function setUpThreadDelivery(postgres: TestPostgres) {
  const app = await setUpInboxApp(postgres);
  const { acme, addItem, bo, inbox, services, changeInbox } = app;
  await changeInbox({ delivery: 'thread' });
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  const { ts = '' } = inbox.messages.find(({ text }) => text.includes('carl@example.org')) ?? {};
  const deletePost = async () => {
    await (await services.slack.clientOf(acme.id)).chat.delete({ channel: inbox.id, ts });
  };
  return { ...app, deletePost };
}

/** Messages in the channel with a file, and non-ephemeral ones with the name of the file. */
export const messagesWithFile = ({ inbox }: InboxApp) =>
  inbox.messages.filter(({ fileIds, text, ephemeralTo }) => {
    return fileIds.length > 0 || (ephemeralTo === undefined && text.includes('plan.pdf'));
  });

export const downloadOutcomes = async ({ audited }: InboxApp) =>
  (await audited()).flatMap(({ action, outcome }) => (action === 'download' ? [outcome] : []));
