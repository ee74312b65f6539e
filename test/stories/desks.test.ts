import { expect, test } from 'vitest';
import { addLegal, legalUser } from '../helpers/desks.ts';
import { apiKey } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

async function setUpDesks() {
  const app = await setUpInboxApp(postgres);
  return { ...app, ...(await addLegal(app, [app.bo])) };
}

test('a person chooses the desk in From and loses nothing that was typed or attached', async () => {
  const { bo, account, legalAccount } = await setUpDesks();
  await bo.opens('Dropline');
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.attaches('Files', [{ name: 'plan.txt', data: 'the plan' }]);
  await bo.fills('Message', 'Here you are');
  await bo.picks('From', 'Legal');
  await bo.sees('carl@example.org (Carl)');
  await bo.sees("isn't in your contacts");
  await bo.submits('Review');
  await bo.sees("isn't in your contacts");
  await bo.unpicks('To', 'carl');
  await bo.picks('To', 'lena');
  await bo.submits('Review');
  await bo.sees('From Legal');
  await bo.submits('Send 1 file from Legal');
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await bo.sees('✅ Sent');
  expect(account.drops).toEqual([]);
  expect(legalAccount.drops).toMatchObject([{ message: 'Here you are', receivers: [{ email: 'lena@law.example' }] }]);
  expect(bo.messages.at(-1)?.text).toContain('Legal');
});

test('an admin connects another account as a desk, and renames it', async () => {
  const { anna, acme, exchange } = await setUpInboxApp(postgres);
  exchange.addAccount({ user: legalUser, apiKey });
  acme.addChannel({ name: 'legal', kind: 'private', members: [anna, 'app'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Connected accounts');
  await anna.clicks('Connect another account');
  await anna.fills('Name', 'Legal');
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', legalUser);
  await anna.fills('API key', apiKey);
  await anna.picks('Channel for incoming files', 'legal');
  await anna.picks('Expiry is counted in', 'days');
  await anna.submits('Test and connect');
  await anna.sees('onnected to the file service as');
  await anna.closes();
  await anna.types('/drop connect');
  await anna.sees(`Legal · ${legalUser}`);
  await anna.clicks('Rename…', { near: 'Legal' });
  await anna.fills('Name', 'Law');
  await anna.submits('Rename');
  await anna.sees(`Law · ${legalUser}`);
  await anna.closes();
  await anna.types('/drop audit', { in: '#general' });
  await anna.sees('renamed a desk');
  await anna.sees('new name: Law; desk: Legal');
});

test('an owner disconnects one desk, and the other one stays', async () => {
  const { anna, bo, services, acme } = await setUpDesks();
  await anna.types('/drop disconnect', { in: '#general' });
  await anna.clicks('Disconnect…', { near: 'Legal' });
  await anna.sees('Connected as Legal.');
  await anna.clicks('Disconnect…');
  await anna.confirms('Disconnect');
  const isGone = async () => (await services.store.credentials.list(acme.id)).size === 1 || undefined;
  await until(isGone, 'Legal to go');
  await bo.types('/drop contacts', { in: '#general' });
  await bo.sees('carl@example.org');
  expect(bo.screen()).not.toContain('Legal');
});

test('lists and Home switch between the desks of a person', async () => {
  const { bo, addItem, arrivesInLegal } = await setUpDesks();
  await arrivesInLegal(['deed.pdf']);
  await addItem('carl@example.org', ['open.pdf']);
  await bo.opens('#inbox');
  await bo.sees('open.pdf');
  await bo.types('/drop inbox', { in: '#legal' });
  await bo.sees('deed.pdf');
  expect(bo.screen()).not.toContain('open.pdf');
  await bo.picks('Desk', 'example');
  await bo.sees('open.pdf');
  await bo.closes();
  await bo.opens('Home of Dropline');
  await bo.sees('open.pdf');
});

test('people who are not in the channel of a desk learn nothing about it', async () => {
  const { acme, anna, bo, legal, arrivesInLegal, untilIdle } = await setUpDesks();
  const cleo = acme.addPerson({ name: 'Cleo' });
  await arrivesInLegal(['deed.pdf']);
  await untilIdle();
  legal.remove(bo);
  for (const person of [anna, cleo]) {
    for (const command of ['inbox', 'contacts', 'send', 'history']) {
      await person.types(`/drop ${command}`, { in: 'Dropline' });
      await untilIdle();
      const screen = person.screen();
      expect([command, screen.includes('Legal'), screen.includes('deed'), screen.includes('lena')]).toEqual([
        command,
        false,
        false,
        false,
      ]);
      await person.reloads();
    }
  }
});
