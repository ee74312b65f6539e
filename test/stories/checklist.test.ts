import { expect, test } from 'vitest';
import { tickValue } from '../../src/features/transfers/checklist/card.ts';
import { allOf, transfersIn } from '../../src/features/transfers/repository.ts';
import { forgerFor } from '../helpers/forgery.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { checklistsOf, setUpChecklist } from './checklist.ts';
import { openCard } from './request.ts';

const postgres = startTestPostgres();

test('checklist points are ticked off in the thread; asking again lists missing ones', async () => {
  const { anna, bo, acme, services, account, addItem, inbox, untilIdle, logged } = await setUpChecklist(postgres);
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.sees('What has arrived? Missing: Passport and Contract, signed.');
  await bo.clicks('⬜ Passport');
  await bo.sees('Missing: 1 of 2');
  await bo.sees('Arrived: Passport');
  expect(logged()).toMatch(new RegExp(`"person":"${bo.id}".*"operation":"tick off","outcome":"done"`));
  await bo.clicks('Ask again');
  await bo.sees('Checklist:');
  await bo.sees('Follow-up to your request of ');
  expect(bo.screen().split('== Request files ==')[1]).not.toContain('Passport');
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await bo.sees('Missing: 1 of 1');
  await bo.sees('Follow-up to an earlier request.');
  await bo.sees('You asked again on ');
  expect(account.uploadPages.map(({ message }) => message)).toEqual([
    'Please send these.\n\n- Passport\n- Contract, signed',
    'Please send these.\n\n- Contract, signed',
  ]);
  await addItem('carl@example.org', ['contract.pdf']);
  await bo.sees('contract.pdf');
  await expect.poll(() => checklistsOf(bo).length).toBe(1);
  await bo.sees('You asked again. Tick off what arrives at the newer request.');
  await untilIdle();
  const uploads = bo.messages.map(({ text }) => text.split('carl@example.org sent 1 file').length - 1);
  expect(uploads.filter((number) => number > 0)).toEqual([1, 1]);
  // The first thread no longer has buttons to tick off points. A click on an outdated button counts for both requests.
  expect(checklistsOf(bo).filter(({ text }) => text.includes('[✅ Passport]'))).toEqual([]);
  const [first] = (await allOf(transfersIn(services.store).ended({ workspace: acme.id }))).slice(-1);
  const value = tickValue.write({ id: first?.id ?? '', point: 1, isTicked: true });
  await (await forgerFor(bo, acme, anna)).clicks('request.tick', { value });
  await openCard(bo);
  // Both cards and both checklists show this text.
  await expect
    .poll(() => bo.messages.filter(({ text }) => text.includes('✅ Everything on the checklist has arrived.')).length)
    .toBe(4);
  await bo.doesNotSee('Ask again');
  await addItem('carl@example.org', ['invoice.pdf']);
  await expect
    .poll(() => inbox.messages.map(({ text }) => text))
    .toContain('1 file from carl@example.org: invoice.pdf');
});

test('the card of a request lists uploaded files and has a button for the checklist', async () => {
  const { bo, addItem } = await setUpChecklist(postgres);
  const files = Array.from({ length: 8 }, (_, number) => `page ${number + 1}.pdf`);
  await addItem('carl@example.org', files);
  await bo.sees(/sent 8 files on .*: page 1\.pdf, page 2\.pdf, page 3\.pdf, page 4\.pdf, page 5\.pdf and 3 more/);
  await bo.sees('Nothing ticked off yet');
  await bo.doesNotSee('Missing: 2 of 2');
  await bo.clicks('Tick off… carl@example.org');
  await bo.sees('== Request ==');
  await bo.clicks('⬜ Passport');
  await bo.sees(/== Request ==[\s\S]*Missing: 1 of 2[\s\S]*Arrived: Passport[\s\S]*\[✅ Passport\]/);
  await bo.sees('[Go to message]');
  await bo.closes();
  await bo.sees('Missing: 1 of 2');
});

test('only the requester and admins can tick off a checklist point', async () => {
  const { anna, bo, acme, services } = await setUpChecklist(postgres);
  const cy = acme.addPerson({ name: 'Cy' });
  acme.channel('general').add(cy);
  const { rows } = await services.store.pool.query<{ id: string }>(
    'select id from dropline.transfers where workspace = $1',
    [acme.id],
  );
  const id = rows[0]?.id ?? '';
  const value = tickValue.write({ id, point: 1, isTicked: true });
  await (await forgerFor(cy, acme, anna)).clicks('request.tick', { value });
  await cy.sees('Only admins can do this.');
  await cy.reloads();
  await (await forgerFor(cy, acme, anna)).clicks('request.again', { value: id });
  await cy.sees('Transfer not found.');
  expect(bo.screen()).toContain('Missing: 2 of 2');
  const forger = await forgerFor(anna, acme, anna);
  await forger.clicks('request.tick', { value: tickValue.write({ id, point: 7, isTicked: true }) });
  await anna.sees('Transfer not found.');
  await forger.clicks('request.tick', { value });
  await bo.sees('Arrived: Contract, signed');
});
