import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('people of the organisation can use Dropline; its admins and owners are admins', async () => {
  const { acme, services } = await setUpApp(postgres);
  const gwen = acme.addPerson({ name: 'Gwen', home: 'T0ELSEWHERE0' });
  acme.channel('general').add(gwen);
  await gwen.types('/drop contacts', { in: '#general' });
  await gwen.sees('carl@example.org');
  await gwen.closes();
  await gwen.opens('Dropline');
  await gwen.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: 'Dropline' });
  await gwen.sees('Ready to send:');
  expect(await services.people.roleOf({ workspace: acme.id, person: gwen.id })).toBe('member');
  const olle = acme.addPerson({ name: 'Olle', organisationRole: 'owner' });
  acme.channel('general').add(olle);
  await olle.types('/drop settings', { in: '#general' });
  await olle.sees('Change inbox channels');
});
