import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('an admin connects; a wrong key is reported at its field and no input is lost', async () => {
  const { anna, exchange, services, acme } = await setUpApp(postgres, { connected: false });
  acme.addChannel({ name: 'inbox', members: [anna] });
  await anna.opens('#general');
  await anna.types('/drop connect');
  await anna.fills('Address of the service', exchange.url);
  await anna.fills("The account's e-mail address", user);
  await anna.fills('API key', 'wrong');
  await anna.submits('Test and connect');
  await anna.sees('The service refuses this account and key.');
  await anna.fills('API key', apiKey);
  await anna.picks('What does a time to live count?', 'days');
  await anna.submits('Test and connect');
  await anna.sees('is connected to the file service as');
  expect(await services.store.credentials.get(acme.id)).toMatchObject({ username: user, connectedBy: anna.id });
});

test('members and guests cannot connect and learn why', async () => {
  const { bo, gus } = await setUpApp(postgres, { connected: false });
  await bo.opens('#general');
  await bo.types('/drop connect');
  await bo.sees('Only admins can');
  await gus.opens('#general');
  await gus.types('/drop connect');
  await gus.sees('Guests, bots and people from other organisations cannot use Dropline here.');
});

test('help lists the commands, and a typo gets a suggestion', async () => {
  const { bo } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop');
  await bo.sees('/drop contacts');
  await bo.types('/drop contcats');
  await bo.sees('Did you mean /drop contacts?');
});
