import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a contact added from the send form can be picked, and the other entries stay', async () => {
  const { bo, account, slack } = await setUpApp(postgres);
  await bo.types('/drop send', { in: '#general' });
  await bo.picks('To', 'carl');
  await bo.fills('Message', 'Half a thought');
  await bo.attaches('Files', [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.clicks('New contact…');
  await bo.fills('Email', 'fia@example.org');
  await bo.submits('Add');
  await bo.sees('Done: 1 contact added.');
  await bo.clicks('Back');
  await bo.sees('Half a thought');
  await bo.picks('To', 'fia');
  await bo.submits('Review');
  await bo.sees('fia@example.org');
  await bo.submits('Send 1 file to 2 people');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  const updates = slack.calls.filter(({ method }) => method === 'views.update').map((call) => JSON.stringify(call));
  expect(updates.filter((update) => update.includes('contacts.list'))).toEqual([]);
  const [drop] = account.drops;
  expect(drop).toMatchObject({ message: 'Half a thought', files: [{ name: 'plan.pdf' }] });
  expect(drop?.receivers.map(({ email }) => email).sort()).toEqual(['carl@example.org', 'fia@example.org']);
});
