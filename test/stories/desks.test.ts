import { expect, test } from 'vitest';
import { addLegal } from '../helpers/desks.ts';
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

test('lists and Home switch between the desks of a person', async () => {
  const { bo, addItem, arrivesInLegal, untilIdle } = await setUpDesks();
  await arrivesInLegal(['deed.pdf']);
  await addItem('carl@example.org', ['open.pdf']);
  await untilIdle();
  await bo.types('/drop inbox', { in: '#legal' });
  await bo.sees('deed.pdf');
  expect(bo.screen()).not.toContain('open.pdf');
  await bo.picks('Choose', 'example');
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
    for (const command of ['inbox', 'contacts', 'send', 'history', 'status', 'files', 'recipients', 'help']) {
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
