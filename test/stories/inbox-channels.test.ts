import { expect, test } from 'vitest';
import { readSettings } from '../../src/features/settings/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('an admin adds, changes and removes inbox channels; errors are at their fields', async () => {
  const { anna, acme, services } = await setUpApp(postgres);
  const inbox = acme.addChannel({ name: 'inbox', members: [anna, 'app'] });
  const legal = acme.addChannel({ name: 'legal', members: [anna, 'app'] });
  acme.addChannel({ name: 'closed', members: [anna] });
  acme.addChannel({ name: 'with-others', members: [anna, 'app'], shared: true });
  acme.addChannel({ name: 'others-invited', members: [anna, 'app'], invited: true });
  await anna.types('/drop settings', { in: '#general' });
  await anna.sees('No channel yet: the person who connected the workspace is notified');
  await anna.clicks('Change inbox channels');
  await anna.clicks('Add channel');
  await expect(anna.picks('Channel', 'with-others')).rejects.toThrow('No option contains');
  await anna.picks('Channel', 'closed');
  await anna.fills('Senders', 'not a sender');
  await anna.submits('Add');
  await anna.sees("I'm not in #closed. Type /invite @dropline there, then try again.");
  await anna.sees('“not” is neither an email address (anna@example.org) nor a domain (example.org).');
  await anna.fills('Senders', '');
  await anna.picks('Channel', 'others-invited');
  await anna.submits('Add');
  await anna.sees('#others-invited is shared with another organisation. Choose another channel.');
  await anna.picks('Channel', 'inbox');
  await anna.submits('Add');
  await anna.sees('Enter a sender, or choose “Everything else” below.');
  await anna.picks('Everything else', 'Post here too');
  await anna.submits('Add');
  await anna.sees('✅ Saved.');
  await anna.sees('#inbox · everything else · every item');
  await anna.sees(/@Anna changed inbox channels on .*\d\./);

  await anna.clicks('Add channel');
  await anna.picks('Channel', 'legal');
  await anna.fills('Senders', '@Example.org\nCarl@Example.org');
  await anna.picks('Post', 'Daily at 9:00 AM (Europe/Stockholm)');
  await anna.picks('Take and Done', 'On');
  await anna.picks('Deliver downloads', 'In the thread');
  expect(anna.screen()).not.toContain('As a link');
  await anna.submits('Add');
  await anna.sees(
    '#legal · example.org and carl@example.org · daily at 9:00 AM (Europe/Stockholm) · Take and Done · downloads in the thread',
  );
  const forLegal = inboxChannel(legal.id, {
    senders: ['example.org', 'carl@example.org'],
    ...{ posts: 'day', hour: 9, zone: 'Europe/Stockholm', takeAndDone: true, delivery: 'thread' },
  });
  expect((await readSettings(services, { workspace: acme.id })).inboxChannels).toEqual([
    inboxChannel(inbox.id),
    forLegal,
  ]);

  await anna.clicks('Change channel for example.org');
  await anna.sees('Post: Daily at 9:00 AM (Europe/Stockholm)');
  await anna.fills('Senders', 'carl@example.org');
  await anna.submits('Save');
  await anna.sees('#legal · carl@example.org · daily');
  await anna.clicks('Remove channel for everything else');
  await anna.confirms('Remove');
  await anna.sees('✅ Inbox channel removed.');
  await anna.sees('Everything else: the person who connected the workspace is notified.');
  await anna.clicks('Back');
  await anna.sees('#legal · carl@example.org · daily at 9:00 AM (Europe/Stockholm)');
});

test('a channel, a sender and everything else belong to one inbox channel', async () => {
  const { anna, acme } = await setUpApp(postgres);
  for (const name of ['inbox', 'legal']) acme.addChannel({ name, members: [anna, 'app'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.clicks('Add channel');
  await anna.picks('Channel', 'inbox');
  await anna.fills('Senders', 'example.org, carl@example.net');
  await anna.picks('Everything else', 'Post here too');
  await anna.submits('Add');
  await anna.sees('#inbox · example.org, carl@example.net and everything else · every item');
  await anna.clicks('Add channel');
  await anna.picks('Channel', 'inbox');
  await anna.fills('Senders', 'lab.example');
  await anna.submits('Add');
  await anna.sees('#inbox is an inbox channel already. Change it in the list.');
  await anna.picks('Channel', 'legal');
  await anna.fills('Senders', 'lab.example carl@example.net');
  await anna.submits('Add');
  await anna.sees('carl@example.net belongs to #inbox. Remove it there first.');
  await anna.fills('Senders', 'carl@example.org');
  await anna.picks('Everything else', 'Post here too');
  await anna.submits('Add');
  await anna.sees('Everything else is posted in #inbox. Change that channel first.');
  await anna.picks('Everything else', "Don't post here");
  await anna.submits('Add');
  await anna.sees('#legal · carl@example.org · every item');
});

test("two admins who change an inbox channel at once don't overwrite each other", async () => {
  const { anna, acme, services } = await setUpApp(postgres);
  const otto = acme.addPerson({ name: 'Otto', role: 'admin' });
  acme.addChannel({ name: 'admins', members: [anna, otto] });
  const inbox = acme.addChannel({ name: 'inbox', members: [anna, otto, 'app'] });
  await anna.types('/drop settings', { in: '#admins' });
  await anna.clicks('Change inbox channels');
  await anna.clicks('Add channel');
  await anna.picks('Channel', 'inbox');
  await anna.fills('Senders', 'example.org');
  await anna.submits('Add');
  await anna.sees('#inbox · example.org');
  await otto.types('/drop settings', { in: '#admins' });
  await otto.clicks('Change inbox channels');
  for (const admin of [anna, otto]) {
    await admin.clicks('Change channel for example.org');
    await admin.sees('Senders (optional): example.org');
  }
  await anna.fills('Senders', 'example.org example.net');
  await anna.submits('Save');
  await anna.sees('#inbox · example.org and example.net');
  await otto.picks('Post', 'Every hour');
  await otto.submits('Save');
  await otto.sees('This inbox channel was changed or removed by someone else.');
  const senders = ['example.org', 'example.net'];
  expect((await readSettings(services, { workspace: acme.id })).inboxChannels).toEqual([
    inboxChannel(inbox.id, { senders }),
  ]);

  await otto.clicks('Cancel');
  await otto.clicks('Back');
  await otto.clicks('Change inbox channels');
  await otto.clicks('Change channel for example.org');
  await otto.sees('example.net');
  await anna.clicks('Remove channel for example.org');
  await anna.confirms('Remove');
  await anna.sees('✅ Inbox channel removed.');
  await otto.submits('Save');
  await otto.sees('This inbox channel was changed or removed by someone else.');
  expect((await readSettings(services, { workspace: acme.id })).inboxChannels).toEqual([]);
});
