import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { policyWith, saveApproval } from '../features/approval.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('admins are told in a direct message when an additional admin turns approval off', async () => {
  const { anna, bo, acme, services, untilIdle } = await setUpApp(postgres);
  const cleo = acme.addPerson({ name: 'Cleo' });
  const annas = { workspace: acme.id, person: anna.id };
  await changeSettings(services, annas, { admins: [bo.id, cleo.id] });
  await saveApproval(services, annas, policyWith({ every: true, approvers: [anna.id] }));
  await untilIdle();
  await bo.types('/drop settings', { in: '#general' });
  await bo.clicks('Change approval rules');
  await bo.clicks('For every transfer');
  await bo.submits('Save');
  await bo.sees('Turn off 1 rule?');
  await bo.submits('Turn off');
  await bo.sees('No transfer needs approval');
  await untilIdle();
  for (const admin of [anna, cleo]) {
    await admin.opens('Dropline');
    await admin.sees('@Bo turned off approval for all transfers.');
  }
  const countNotices = ({ messages }: typeof anna) =>
    messages.filter(({ text }) => text.includes('turned off approval')).length;
  expect([anna, cleo, bo].map(countNotices)).toEqual([1, 1, 0]);
});
