import { test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const notice = '@Anna set up Dropline to post new files in this channel.';

test('the inbox channel chosen while connecting gets a notice of who chose it', async () => {
  const { acme, anna, bo, exchange } = await setUpApp(postgres, { connected: false });
  acme.addChannel({ name: 'inbox', members: [anna, bo, 'app'] });
  await anna.types('/drop connect', { in: '#general' });
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', user);
  await anna.fills('API key', apiKey);
  await anna.picks('Channel for incoming files', 'inbox');
  await anna.picks('Expiry is counted in', 'days');
  await anna.submits('Test and connect');
  await bo.opens('#inbox');
  await bo.sees(notice);
});
