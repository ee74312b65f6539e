import { expect, test } from 'vitest';
import type { InboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { withPost } from './download-thread.ts';

const postgres = startTestPostgres();

/** Messages in the channel that hold or name the file. */
const leftIn = ({ inbox }: InboxApp) =>
  inbox.messages.filter(({ fileIds, text, ephemeralTo }) => {
    return fileIds.length > 0 || (ephemeralTo === undefined && text.includes('plan.pdf'));
  });

const outcomes = async ({ audited }: InboxApp) =>
  (await audited()).flatMap(({ act, outcome }) => (act === 'download' ? [outcome] : []));

test('a file that Slack shares outside its thread is deleted and comes in a DM', async () => {
  const app = await withPost(postgres);
  const { bo, slack, deletePost, atRest, acme } = app;
  // Slack accepts the file for the thread, which is deleted before the file is shared.
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
