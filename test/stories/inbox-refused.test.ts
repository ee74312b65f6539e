import { expect, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { fileIdOf, itemIdOf } from '../../src/features/common/ids.ts';
import { fileValue } from '../../src/features/inbox/items/views.ts';
import { apiKey } from '../helpers/exchange.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('ids of another workspace, forged values and empty values download no file', async () => {
  const { acme, bo, slack, services, install, exchange, addItem } = await setUpInboxApp(postgres);
  const { url } = await addItem('carl@example.org', ['plan.pdf']);
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
    blankIds: '{"item":"","file":""}',
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
