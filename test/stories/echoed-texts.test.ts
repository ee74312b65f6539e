import { test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

/** Slack returns our texts escaped, with `&amp;`, `&lt;` and `&gt;`. */

const postgres = startTestPostgres();

const fileName = 'R&D <plan>.txt';

test('a refused form is shown again with its texts unescaped', async () => {
  const { anna, bo, acme, services } = await setUpApp(postgres);
  const allow = (send: 'admins' | 'everyone') =>
    changeSettings(services, { workspace: acme.id, person: anna.id }, { senders: send });
  await bo.shares([{ name: fileName, data: 'the plan' }], { in: 'Dropline' });
  await bo.sees('Ready to send');
  await bo.types('/drop send');
  await bo.picks('To', 'carl');
  await bo.fills('Message', 'Salt & pepper <3');
  await allow('admins');
  await bo.submits('Review');
  await bo.sees("You can't send files in this workspace.");
  await bo.sees(`Choose from your files ready to send (optional): ${fileName}`);
  await bo.sees('Salt & pepper <3');
  await bo.unpicks('Choose from your files ready to send', fileName);
  await bo.picks('Choose from your files ready to send', fileName);
  await allow('everyone');
  await bo.submits('Review');
  await bo.sees('== Review ==');
  await bo.sees('Salt & pepper <3');
});

test('a refused form without metadata is shown again with its input', async () => {
  const { anna, bo, acme, services } = await setUpApp(postgres);
  const actor = { workspace: acme.id, person: anna.id };
  await changeSettings(services, actor, { admins: [bo.id] });
  await bo.types('/drop settings', { in: '#general' });
  await bo.clicks('Change inbox channels');
  await bo.clicks('Add channel');
  await bo.fills('Senders', 'example.org');
  await changeSettings(services, actor, { admins: [] });
  acme.addChannel({ name: 'inbox', members: [bo, 'app'] });
  await bo.picks('Channel', 'inbox');
  await bo.submits('Add');
  await bo.sees('Only admins can do this.');
  await bo.sees('Senders (optional): example.org');
});
