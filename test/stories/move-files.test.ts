import { expect, test } from 'vitest';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('an admin moves the files of an archived private channel without seeing them', async () => {
  const { acme, anna, bo, addItem, changeSettings, audited } = await setUpInboxApp(postgres);
  const cleo = acme.addPerson({ name: 'Cleo' });
  const legal = acme.addChannel({ name: 'legal', kind: 'private', members: [bo, 'app'] });
  const board = acme.addChannel({ name: 'board', kind: 'private', members: [anna, cleo, 'app'] });
  await changeSettings({ inboxChannels: [inboxChannel(legal.id, { takeAndDone: true })] });
  await addItem('carl@example.org', ['contract.pdf']);
  await bo.opens('#legal');
  await bo.sees('contract.pdf');
  await anna.types('/drop inbox', { in: '#general' });
  await anna.sees('Your inbox is empty.');
  await anna.closes();

  legal.archive();
  await bo.types('/drop inbox', { in: '#general' });
  await bo.sees('Your inbox is empty.');
  await bo.closes();
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.clicks('Move files…');
  await anna.sees('Files in #legal');
  await anna.clicks('Move…', { near: 'Files in #legal' });
  expect(anna.screen()).not.toContain('contract.pdf');
  await anna.picks('Move to', 'board');
  board.setKind('public');
  await anna.submits('Move files');
  await anna.sees('#board is public');
  board.setKind('private');
  board.remove(anna);
  await anna.submits('Move files');
  await anna.sees('✅ Moved 1 item.');
  await anna.closes();
  await anna.types('/drop inbox', { in: '#general' });
  await anna.sees('Your inbox is empty.');
  await anna.closes();

  await cleo.opens('#board');
  await cleo.sees('@Anna moved received files here.');
  await cleo.clicks('Inbox');
  await cleo.clicks('Download contract.pdf');
  await cleo.sees("I'll send you “contract.pdf” in a direct message.");
  await cleo.closes();
  expect(await audited()).toContainEqual({ person: anna.id, action: 'move files', outcome: 'done' });
  await anna.types('/drop audit move', { in: '#general' });
  await anna.sees('from #legal; to');
});

test('after a move, the earlier channel no longer shows the files or gives them', async () => {
  const { acme, anna, bo, inbox, addItem } = await setUpInboxApp(postgres);
  acme.addChannel({ name: 'board', kind: 'private', members: [anna, 'app'] });
  await addItem('carl@example.org', ['contract.pdf']);
  await bo.sees('contract.pdf');
  await bo.types('/drop inbox', { in: '#general' });
  await bo.sees('contract.pdf');
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.clicks('Move files…');
  await anna.clicks('Move…', { near: 'Files in #inbox' });
  await anna.picks('Move to', 'board');
  await anna.submits('Move files');
  await anna.sees('✅ Moved 1 item.');
  await anna.clicks('Close');

  await bo.clicks('Download contract.pdf');
  await bo.sees('This file is no longer available.');
  await bo.closes();
  await bo.opens('#inbox');
  await bo.sees('An admin moved these files to another channel.');
  await bo.sees('@Anna moved the files that were received here to a private channel.');
  expect(JSON.stringify(inbox.messages)).not.toContain('contract.pdf');
  await addItem('carl@example.org', ['later.pdf']);
  await bo.sees('later.pdf');
});
