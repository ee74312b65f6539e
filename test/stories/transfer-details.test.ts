import { expect, test } from 'vitest';
import { cardValue } from '../../src/features/transfers/send/card.ts';
import { setUpApp } from '../helpers/app.ts';
import { forgerFor } from '../helpers/forgery.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, stages } from '../helpers/send-steps.ts';
import { sendFile } from './send.ts';

const postgres = startTestPostgres();

test('the Details button on the card of a sent transfer opens its details', async () => {
  const { bo } = await setUpInboxApp(postgres);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.fills('Message', 'Here you are');
  await bo.submits('Review');
  await bo.sees("can't be recalled");
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  await bo.clicks('Details');
  await bo.sees('== Transfer ==');
  await bo.sees('plan.pdf 8 bytes');
  const screen = bo.screen();
  expect(screen).toContain('carl@example.org (Carl) · Mobile 46700000001');
  for (const text of ['Total 8 bytes', 'Here you are', 'by @Bo', 'Expires 20']) expect(screen).toContain(text);
});

test('only the sender and admins see the details of a transfer', async () => {
  const { anna, bo, acme, services } = await setUpApp(postgres);
  const cy = acme.addPerson({ name: 'Cy' });
  acme.channel('general').add(cy);
  await sendFile(bo, 'plan.pdf', 'carl');
  await bo.sees('✅ Sent');
  const { rows } = await services.store.pool.query<{ id: string }>(
    'select id from dropline.transfers where workspace = $1',
    [acme.id],
  );
  const value = cardValue.write({ id: rows[0]?.id ?? '' });
  await (await forgerFor(cy, acme, anna)).clicks('send.details', { value });
  await cy.sees('Transfer not found.');
  expect(cy.screen()).not.toContain('plan.pdf');
  await (await forgerFor(anna, acme, anna)).clicks('send.details', { value });
  await anna.sees('plan.pdf');
});
