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
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', user);
  await anna.fills('API key', 'wrong');
  await anna.submits('Test and connect');
  await anna.sees('Wrong account or API key.');
  await anna.fills('API key', apiKey);
  await anna.picks('Expiry is counted in', 'days');
  await anna.submits('Test and connect');
  await anna.sees('onnected to the file service as');
  expect(await services.store.credentials.get(acme.id)).toMatchObject({ username: user, connectedBy: anna.id });
});

test('members and guests cannot connect and learn why', async () => {
  const { bo, gus } = await setUpApp(postgres, { connected: false });
  await bo.opens('#general');
  await bo.types('/drop connect');
  await bo.sees('Only admins can');
  await gus.opens('#general');
  await gus.types('/drop connect');
  await gus.sees("Guests, bots and people from other organisations can't use Dropline here.");
});

test('help lists the commands, and a typo gets a suggestion', async () => {
  const { bo } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop');
  await bo.sees('/drop contacts');
  await bo.types('/drop contcats');
  await bo.sees('Did you mean `/drop contacts`?');
});
