import { test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const notice = '@Anna set up Dropline to post new files in this channel.';

test('an inbox channel that is added later gets a notice of who chose it', async () => {
  const { acme, anna, bo } = await setUpApp(postgres);
  for (const name of ['later', 'net']) acme.addChannel({ name, members: [anna, bo, 'app'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.clicks('Add channel');
  await anna.picks('Channel', 'later');
  await anna.picks('Everything else', 'Post here too');
  await anna.submits('Add');
  await anna.sees('#later · everything else · every item');
  await anna.clicks('Add channel');
  await anna.picks('Channel', 'net');
  await anna.fills('Senders', 'example.net');
  await anna.submits('Add');
  await anna.sees('#net · example.net · every item');
  for (const channel of ['#later', '#net'] as const) {
    await bo.opens(channel);
    await bo.sees(notice);
  }
});
