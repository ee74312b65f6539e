import { expect, test } from 'vitest';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('clicks and commands are acknowledged in time while the service hangs', async () => {
  const { bo, addItem, exchange, slack } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  const hanging = exchange.addFault({ operation: 'download', kind: 'delay', times: 100 });
  await bo.clicks('Download plan.pdf');
  await bo.sees("I'll send you “plan.pdf”");
  await hanging.triggered;
  await bo.types('/drop inbox');
  await bo.sees('1 item, newest first');
  await bo.closes();
  hanging.remove();
  await hanging.release();
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  await bo.doesNotSee('Downloading');
  const interactions = slack.deliveries.filter(({ kind }) => kind === 'block_actions' || kind === 'slash_command');
  expect(interactions.map(({ outcome }) => outcome)).toEqual(['acked', 'acked']);
});

test('guests and people without permission get a reason and an audit entry, no file', async () => {
  const { bo, gus, addItem, changeSettings, exchange, audited } = await setUpInboxApp(postgres);
  await changeSettings({ downloaders: [] });
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.clicks('Download plan.pdf');
  await bo.sees("You can't download files in this workspace. An admin can allow it");
  await bo.types('/drop inbox');
  await bo.sees("You can't download files in this workspace.");
  await gus.opens('#inbox');
  await gus.clicks('Download plan.pdf');
  await gus.sees("Guests, bots and people from other organisations can't use Dropline here.");
  expect((await audited()).filter(({ outcome }) => outcome !== 'done')).toEqual([
    { person: bo.id, action: 'ask for a download', outcome: 'not-allowed' },
    { person: gus.id, action: 'ask for a download', outcome: 'not-allowed' },
  ]);
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
});

test("people of another organisation can't download in a channel shared later", async () => {
  const { acme, addItem, inbox, bo, exchange, audited } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  const stranger = acme.addPerson({ name: 'Sten', role: 'stranger' });
  inbox.share();
  inbox.add(stranger);
  await stranger.opens('#inbox');
  await stranger.clicks('Download plan.pdf');
  await stranger.sees("Guests, bots and people from other organisations can't use Dropline here.");
  expect((await audited()).at(-1)).toEqual({
    person: stranger.id,
    action: 'ask for a download',
    outcome: 'not-allowed',
  });
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
});

test('if permission is lost between click and job, the download is refused and audited', async () => {
  const { bo, addItem, changeSettings, exchange, slack, audited } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  const delay = slack.addFault({ method: 'chat.postMessage', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await delay.triggered;
  await changeSettings({ downloaders: 'admins' });
  delay.release();
  await bo.opens('Dropline');
  await bo.sees("“plan.pdf” from carl@example.org couldn't be downloaded. You can't download files in this workspace.");
  await bo.doesNotSee('Try again');
  expect((await audited()).at(-1)).toEqual({ person: bo.id, action: 'download', outcome: 'not-allowed' });
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
});
