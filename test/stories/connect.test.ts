import { expect, test } from 'vitest';
import { readSettings } from '../../src/features/settings/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('an admin connects; a wrong key is reported at its field and other input stays', async () => {
  const { anna, exchange, services, acme } = await setUpApp(postgres, { connected: false });
  acme.addChannel({ name: 'inbox', members: [anna] });
  await anna.opens('#general');
  await anna.types('/drop connect');
  for (const hint of [
    "The service's address without the account email, like https://files.example.com.",
    "If anyone else uploads files to it, nothing can be sent until they're deleted.",
    'First add me to the channel: type /invite @dropline there. If empty, I notify you in a direct message.',
    "With “I'm not sure”, people see only the number and no date",
  ])
    await anna.sees(hint);
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', user);
  await anna.fills('API key', 'wrong');
  await anna.picks('Expiry is counted in', 'hours');
  await anna.submits('Test and connect');
  await anna.sees('Wrong account or API key.');
  await anna.fills('API key', apiKey);
  await anna.submits('Test and connect');
  await anna.sees('onnected to the file service as');
  expect(await services.store.credentials.get({ workspace: acme.id })).toMatchObject({
    username: user,
    connectedBy: anna.id,
  });
  expect(await readSettings(services, { workspace: acme.id })).toMatchObject({ expiryUnit: 'hours', expiryDefault: 7 });
});

test('connecting requires an expiry unit; reconnecting shows the current one', async () => {
  const { anna, exchange } = await setUpApp(postgres, { connected: false });
  await anna.types('/drop connect', { in: '#general' });
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', user);
  await anna.fills('API key', apiKey);
  await expect(anna.submits('Test and connect')).rejects.toThrow('the form is not complete');
  await anna.picks('Expiry is counted in', 'minutes');
  await anna.submits('Test and connect');
  await anna.sees('onnected to the file service as');
  await anna.closes();
  await anna.types('/drop connect');
  await anna.sees('Expiry is counted in: minutes');
});

test('settings can be changed once an account is connected, and continue after that', async () => {
  const { anna, exchange } = await setUpApp(postgres, { connected: false });
  await anna.types('/drop settings', { in: '#general' });
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', user);
  await anna.fills('API key', apiKey);
  await anna.picks('Expiry is counted in', 'days');
  await anna.submits('Test and connect');
  await anna.sees('== Settings ==');
});

test("members and guests can't connect and learn why", async () => {
  const { bo, gus } = await setUpApp(postgres, { connected: false });
  await bo.opens('#general');
  await bo.types('/drop connect');
  await bo.sees('Only admins can');
  await gus.opens('#general');
  await gus.types('/drop connect');
  await gus.sees("Guests, bots and people from other organisations can't use Dropline here.");
});

test('the help lists the commands, and a mistyped command gets a suggestion', async () => {
  const { bo } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop');
  await bo.sees('/drop contacts');
  await bo.types('/drop contcats "Carl C" <x>');
  await bo.sees("I don't know “contcats”. Did you mean contacts?");
  await bo.clicks('/drop contacts "Carl C" <x>');
  await bo.sees('No results');
  await bo.closes();
  await bo.types(`/drop ${'x'.repeat(3_000)}`);
  await bo.sees(`I don't know “${'x'.repeat(39)}…”. Try /drop help.`);
  await bo.types('/drop help foo');
  await bo.sees("I don't know “foo”.");
});
