import { expect, test } from 'vitest';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const busyMessage = 'Dropline is busy with other requests from this workspace. Try again in a moment.';

/** Types the command and closes its form before the service has answered. */
async function typesAndCloses(person: Person, command: string, channel: string): Promise<void> {
  await person.types(command, { in: channel });
  await person.sees('One moment');
  await person.closes();
}

test('a workspace with 100 unfinished commands gets "busy"; other workspaces do not', async () => {
  const { acme, anna, bo, exchange, slack, install, untilIdle } = await setUpApp(postgres);
  const beta = slack.addWorkspace({ name: 'Beta' });
  const bea = beta.addPerson({ name: 'Bea', role: 'owner' });
  beta.addChannel({ name: 'general', members: [bea] });
  await install(beta, bea);
  const cid = acme.addPerson({ name: 'Cid' });
  acme.addChannel({ name: 'side', members: [cid] });
  await cid.types('/drop help', { in: '#side' });
  await cid.sees('/drop contacts');
  await anna.types('/drop receivers', { in: '#general' });
  await anna.picks('Recipients of your next transfer', 'emil');
  await untilIdle();

  const delayed = exchange.addFault({ operation: 'contacts_read', kind: 'delay', times: 1_000 });
  const crowd = Array.from({ length: 10 }, (_, index) => acme.addPerson({ name: `Person ${index}` }));
  acme.addChannel({ name: 'crowd', members: crowd });
  for (const person of crowd) {
    for (let count = 0; count < 10; count++) await typesAndCloses(person, '/drop contacts', '#crowd');
  }
  await bo.types('/drop contacts', { in: '#general' });
  await bo.sees(busyMessage);
  await cid.clicks('Contacts');
  await cid.opens('Dropline');
  await cid.sees(busyMessage);
  await anna.submits('Save');
  await anna.sees(busyMessage);
  await bea.types('/drop help', { in: '#general' });
  await bea.sees('/drop connect');
  await expect.poll(() => slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);

  delayed.remove();
  await delayed.release();
  await untilIdle();
  await anna.submits('Save');
  await anna.sees('1 recipient saved.');
});
