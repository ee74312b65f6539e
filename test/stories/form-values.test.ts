import { expect, test } from 'vitest';
import { readSettings } from '../../src/features/settings/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { changeAsAnna, omitFieldValues } from './form-values.ts';

/** While a modal is open, Slack keeps the values of its fields and ignores new initial values for known fields. */

const postgres = startTestPostgres();

test('reopened settings show what is stored, and saving them changes nothing', async () => {
  const setup = await setUpApp(postgres);
  const { anna, acme, services } = setup;
  acme.addChannel({ name: 'inbox', members: [anna, 'app'] });
  const other = acme.addChannel({ name: 'other', members: [anna, 'app'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.clicks('Add channel');
  await anna.picks('Channel', 'inbox');
  await anna.picks('Everything else', 'Post here too');
  await anna.submits('Add');
  await anna.sees('#inbox · everything else');
  const stored = { inboxChannels: [inboxChannel(other.id, { senders: ['example.org'], posts: 'hour' })] };
  await changeAsAnna(setup, stored);
  await anna.clicks('Back');
  await anna.clicks('Change inbox channels');
  await anna.clicks('Change channel for example.org');
  await anna.sees('#other');
  await anna.submits('Save');
  await anna.sees('#other · example.org · hourly');
  expect(await readSettings(services, { workspace: acme.id })).toMatchObject(stored);
});

test('a contact keeps the fields that Slack omits', async () => {
  const setup = await setUpApp(postgres);
  const { bo, account } = setup;
  const before = structuredClone(account.contacts.local);
  await bo.types('/drop contacts', { in: '#general' });
  await bo.clicks('Edit', { near: 'carl@example.org' });
  await bo.sees('Save');
  omitFieldValues(setup, bo);
  await bo.fills('Name', 'Carl Gustaf');
  await bo.submits('Save');
  await bo.sees('Contact changed');
  expect(account.contacts.local).toEqual(
    before.map((contact) => (contact.nick === 'Carl' ? { ...contact, nick: 'Carl Gustaf' } : contact)),
  );
});
