import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();

test('a contact added from the send form becomes a recipient, and other input stays', async () => {
  const { bo, account, slack } = await setUpApp(postgres);
  await bo.types('/drop send', { in: '#general' });
  await bo.picks('To', 'carl');
  await bo.fills('Message', 'Half a thought');
  await bo.attaches('Files', [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.clicks('New contact…');
  await bo.fills('Email', 'fia@example.org');
  await bo.submits('Add');
  await bo.sees('Contact added.');
  await bo.clicks('Back');
  await bo.sees('To: carl@example.org (Carl), fia@example.org');
  await bo.sees('Half a thought');
  await bo.submits('Review');
  await bo.sees('fia@example.org');
  await bo.submits('Send 1 file to 2 people');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  const updates = slack.calls.filter(({ method }) => method === 'views.update').map((call) => JSON.stringify(call));
  expect(updates.filter((update) => update.includes('contacts.list'))).toEqual([]);
  const [transfer] = account.drops;
  expect(transfer).toMatchObject({ message: 'Half a thought', files: [{ name: 'plan.pdf' }] });
  expect(transfer?.receivers.map(({ email }) => email).sort()).toEqual(['carl@example.org', 'fia@example.org']);
});

test('an unknown address in the send form can be added, and other input stays', async () => {
  const { bo, account } = await setUpApp(postgres);
  await stages(bo, [
    { name: 'plan.pdf', data: 'the plan' },
    { name: 'map.png', data: 'the map' },
  ]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.unpicks('Choose from your files ready to send', 'map.png');
  await bo.fills('Message', 'Half a thought');
  // This fails if the menu also offers to add the address of an existing contact: two options would match.
  await bo.picks('To', 'Emil@example.com');
  await bo.unpicks('To', 'emil@example.com');
  await bo.picks('To', 'New@person.example');
  await bo.sees('Email: New@person.example');
  await bo.clicks('Cancel');
  await bo.doesNotSee('Add New@person.example');
  await bo.sees('To: carl@example.org (Carl)');
  await bo.picks('To', 'new@person.example');
  await bo.submits('Add');
  await bo.sees('Contact added.');
  await bo.clicks('Back');
  await bo.sees('To: carl@example.org (Carl), new@person.example');
  await bo.sees('Choose from your files ready to send (optional): plan.pdf (8 bytes)\n');
  await bo.sees('Message (optional): Half a thought');
  await bo.submits('Review');
  await bo.submits('Send 1 file to 2 people');
  await bo.closes();
  await bo.sees('✅ Sent');
  expect(account.drops[0]).toMatchObject({ message: 'Half a thought', files: [{ name: 'plan.pdf' }] });
  expect(account.drops[0]?.receivers.map(({ email }) => email)).toEqual(['carl@example.org', 'new@person.example']);
});
