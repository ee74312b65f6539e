import { expect, test } from 'vitest';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('clicks and commands are acknowledged in time while the service hangs', async () => {
  const { bo, arrive, exchange, slack } = await setUpInboxApp(postgres);
  await arrive('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  const hanging = exchange.addFault({ operation: 'download', kind: 'delay', times: 100 });
  await bo.clicks('Download plan.pdf');
  await bo.sees('Downloading “plan.pdf”');
  await hanging.struck;
  await bo.types('/drop inbox');
  await bo.sees('1 item, newest first');
  await bo.closes();
  hanging.remove();
  await hanging.release();
  await bo.opens('Dropline');
  await bo.downloads('plan.pdf');
  await bo.doesNotSee('Downloading');
  const clicks = slack.deliveries.filter(({ kind }) => kind === 'block_actions' || kind === 'slash_command');
  expect(clicks.map(({ outcome }) => outcome)).toEqual(['acked', 'acked']);
});
