import { test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const notice = '@Anna set up Dropline to post new files in this channel.';

test('a channel chosen later, in settings or a route, gets a notice of who chose it', async () => {
  const { acme, anna, bo } = await setUpApp(postgres);
  for (const name of ['later', 'net']) acme.addChannel({ name, members: [anna, bo, 'app'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change incoming files');
  await anna.picks('Channel for incoming files', 'later');
  await anna.submits('Save');
  await anna.sees('New files are posted in #later');
  await anna.clicks('Change routes');
  await anna.clicks('Add route');
  await anna.fills('Sender', 'example.net');
  await anna.picks('Channel', 'net');
  await anna.submits('Add');
  await anna.sees('example.net → #net');
  for (const channel of ['#later', '#net'] as const) {
    await bo.opens(channel);
    await bo.sees(notice);
  }
});
