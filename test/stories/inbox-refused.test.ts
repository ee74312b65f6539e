import { expect, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { fileIdOf, itemIdOf } from '../../src/features/common/ids.ts';
import { fileValue } from '../../src/features/inbox/items/views.ts';
import { apiKey } from '../helpers/exchange.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('guests and people without permission get a reason and an audit entry, no file', async () => {
  const { bo, gus, arrive, set, exchange, audited } = await setUpInboxApp(postgres);
  await set({ may: { send: 'everyone', request: 'everyone', download: [], contacts: 'everyone' } });
  await arrive('carl@example.org', ['plan.pdf']);
  await bo.clicks('Download plan.pdf');
  await bo.sees("You can't download files in this workspace. An admin can allow it");
  await bo.types('/drop inbox');
  await bo.sees("You can't download files in this workspace.");
  await gus.opens('#inbox');
  await gus.clicks('Download plan.pdf');
  await gus.sees("Guests, bots and people from other organisations can't use Dropline here.");
  expect((await audited()).filter(({ outcome }) => outcome !== 'done')).toEqual([
    { person: bo.id, act: 'ask for a download', outcome: 'not-allowed' },
    { person: gus.id, act: 'ask for a download', outcome: 'not-allowed' },
  ]);
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
});

test('a person of another organisation gets no file from a channel shared later', async () => {
  const { acme, arrive, inbox, bo, exchange, audited } = await setUpInboxApp(postgres);
  await arrive('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  const stranger = acme.addPerson({ name: 'Sten', role: 'stranger' });
  inbox.share();
  inbox.add(stranger);
  await stranger.opens('#inbox');
  await stranger.clicks('Download plan.pdf');
  await stranger.sees("Guests, bots and people from other organisations can't use Dropline here.");
  expect((await audited()).at(-1)).toEqual({ person: stranger.id, act: 'ask for a download', outcome: 'not-allowed' });
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
});

test('a permission lost between click and job stops the download and is audited', async () => {
  const { bo, arrive, set, exchange, slack, audited } = await setUpInboxApp(postgres);
  await arrive('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  const delay = slack.addFault({ method: 'chat.postMessage', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await delay.struck;
  await set({ may: { send: 'everyone', request: 'everyone', download: 'admins', contacts: 'everyone' } });
  delay.release();
  await bo.opens('Dropline');
  await bo.sees("“plan.pdf” from carl@example.org couldn't be downloaded. You can't download files in this workspace.");
  await bo.doesNotSee('Try again');
  expect((await audited()).at(-1)).toEqual({ person: bo.id, act: 'download', outcome: 'not-allowed' });
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
});

test('ids of another workspace, forged values and old values download nothing', async () => {
  const { acme, bo, slack, services, install, exchange, arrive } = await setUpInboxApp(postgres);
  const { url } = await arrive('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  const other = slack.addWorkspace({ name: 'Other' });
  const olga = other.addPerson({ name: 'Olga', role: 'owner' });
  other.addChannel({ name: 'general', members: [olga] });
  await install(other, olga);
  exchange.addAccount({ user: 'other@example.com', apiKey });
  await connect(
    services,
    { workspace: other.id, person: olga.id },
    { baseUrl: exchange.url, username: 'other@example.com', apiKey },
  );
  const client = await services.slack.clientOf(other.id);
  const genuine = fileValue.write({ item: itemIdOf(url), file: fileIdOf('plan.pdf') });
  const values = {
    genuine,
    forged: genuine.replace(/[0-9a-f]/, 'g'),
    empty: '{}',
    everything: '{"item":"","file":""}',
  };
  for (const [label, value] of Object.entries(values)) {
    const element = { type: 'button', text: { type: 'plain_text', text: label }, action_id: 'inbox.download', value };
    await client.chat.postMessage({
      channel: olga.id,
      text: label,
      blocks: [{ type: 'actions', elements: [element] }] as never,
    });
  }
  await olga.opens('Dropline');
  for (const label of Object.keys(values)) await olga.clicks(label);
  await olga.sees(/(?:(?:no longer available|not found|expired)[\s\S]*){4}/);
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
  expect(acme.files).toEqual([]);
  expect(other.files).toEqual([]);
});
