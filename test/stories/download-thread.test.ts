import { expect, test } from 'vitest';
import { until } from '../helpers/features.ts';
import { type InboxApp, setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

/** Files are put into the thread of a post, with a button, which can be deleted. */
async function withPost() {
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

/** What of the file is in the channel. */
const leftIn = ({ inbox }: InboxApp) =>
  inbox.messages.filter(({ fileIds, text, ephemeralTo }) => {
    return fileIds.length > 0 || (ephemeralTo === undefined && text.includes('plan.pdf'));
  });

const outcomes = async ({ audited }: InboxApp) =>
  (await audited()).flatMap(({ act, outcome }) => (act === 'download' ? [outcome] : []));

test('a file whose post is deleted while it is fetched comes in a DM', async () => {
  const app = await withPost();
  const { bo, exchange, deletePost, slack } = app;
  const fetching = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await fetching.struck;
  await deletePost();
  await fetching.release();
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  await bo.doesNotSee('Fetching');
  expect(leftIn(app)).toEqual([]);
  const shared = slack.calls.filter(({ method }) => method === 'files.completeUploadExternal');
  expect(shared).toHaveLength(1);
  expect(await outcomes(app)).toEqual(['done']);
});

test('a file that Slack puts into the channel is deleted and comes in a DM', async () => {
  const app = await withPost();
  const { bo, slack, deletePost, atRest, acme } = app;
  // Slack has accepted it into the thread, which is deleted before the file is shared.
  const held = slack.addFault({ method: 'share', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await held.struck;
  await deletePost();
  held.release();
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  await atRest();
  expect(leftIn(app)).toEqual([]);
  expect(acme.files.map(({ deleted }) => deleted)).toEqual([true, false]);
  expect(await outcomes(app)).toEqual(['no-place', 'done']);
  expect(app.logged()).toContain('deleted a file that was shown outside its thread');
});

test('a post in which strangers arrive while a file is fetched gets no file', async () => {
  const app = await withPost();
  const { bo, exchange, inbox } = app;
  const fetching = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await fetching.struck;
  inbox.share();
  await fetching.release();
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  await until(async () => (await outcomes(app))[0], 'it to be noted');
  expect(inbox.messages.flatMap(({ fileIds }) => fileIds)).toEqual([]);
});
