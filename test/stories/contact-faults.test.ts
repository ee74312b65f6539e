import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('an edit or removal is refused if the contact has changed since it was shown', async () => {
  const { bo, anna, account } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Edit', { near: 'emil@example.com' });
  await bo.fills('Name', 'Emil the second');
  await anna.opens('#general');
  await anna.types('/drop contacts');
  await anna.clicks('Edit', { near: 'emil@example.com' });
  await anna.fills('Mobile number', '46711111111');
  await anna.submits('Save');
  await anna.sees('Contact changed.');
  await bo.submits('Save');
  await bo.sees('This contact was changed or removed. Search again.');
  await bo.sees('Name (optional): Emil the second');
  expect(account.contacts.local[2]).toMatchObject({ number: '46711111111', nick: 'Emil' });
  await bo.clicks('Cancel');
  await bo.clicks('Remove', { near: 'emil@example.com' });
  await bo.sees('This contact was changed or removed.');
  expect(account.contacts.local).toHaveLength(3);
});

test("a slow service delays no answer to Slack; a closed form's outcome comes in a DM", async () => {
  const { bo, exchange, slack, account } = await setUpApp(postgres);
  await bo.opens('#general');
  const reading = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  await bo.types('/drop contacts');
  await bo.sees('One moment…');
  await reading.triggered;
  await reading.release();
  await bo.sees('carl@example.org');
  await bo.clicks('Add contact');
  await bo.fills('Email', 'fia@example.org');
  const writing = exchange.addFault({ operation: 'contacts_add', kind: 'delay' });
  await bo.submits('Add');
  await bo.sees('Saving…');
  await writing.triggered;
  await bo.closes();
  await writing.release();
  await bo.opens('Dropline');
  await bo.sees('Adding fia@example.org. Contact added.');
  expect(account.contacts.local).toHaveLength(4);
  await slack.untilIdle();
  expect(slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);
});
