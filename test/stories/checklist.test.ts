import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { tickValue } from '../../src/features/transfers/kinds/request/checklist/card.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { metricsRoutes } from '../../src/health.ts';
import { forgerFor } from '../helpers/forgery.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { serve } from '../helpers/serve.ts';
import { checklistsOf, setUpChecklist } from './checklist.ts';
import { openCard } from './request.ts';

const postgres = startTestPostgres();

test('checklist points are ticked off in the thread; asking again lists missing ones', async () => {
  const { anna, bo, acme, services, account, addItem, inbox, untilIdle } = await setUpChecklist(postgres);
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.sees('What has arrived? Missing: Passport and Contract, signed.');
  await bo.clicks('⬜ Passport');
  await bo.sees('Missing: 1 of 2');
  await bo.sees('Arrived: Passport');
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
  const [first] = (await transfersIn(services.store).listEnded({ workspace: acme.id })).slice(-1);
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

test('later files go to the same checklist thread, and a point can be unticked', async () => {
  const { bo, addItem, inbox } = await setUpChecklist(postgres);
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.sees('What has arrived? Missing: Passport and Contract, signed.');
  await bo.clicks('⬜ Passport');
  await bo.sees('What has arrived? Missing: Contract, signed.');
  await bo.clicks('✅ Passport');
  await bo.sees('What has arrived? Missing: Passport and Contract, signed.');
  await addItem('carl@example.org', ['contract.pdf']);
  await bo.sees('contract.pdf');
  await expect.poll(() => checklistsOf(bo).length).toBe(1);
  expect(inbox.messages.filter(({ text }) => /passport|contract/.test(text))).toEqual([]);
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

test('the Home tab shows what is missing from a request, with a button to view it', async () => {
  const { anna, bo, addItem } = await setUpChecklist(postgres);
  await bo.opens('Home of Dropline');
  await bo.sees(
    /Requested from carl@example\.org\s+\[View\]\s+No uploads yet\. Missing: Passport and Contract, signed,/,
  );
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.opens('Dropline');
  await bo.clicks('⬜ Passport');
  await bo.sees('Arrived: Passport');
  await bo.opens('Home of Dropline');
  await bo.sees('1 file uploaded. Missing: Contract, signed,');
  await bo.clicks('View');
  await bo.clicks('Ask again');
  await bo.sees('Follow-up to your request of ');
  await bo.closes();
  await anna.opens('Home of Dropline');
  await anna.clicks('View');
  await anna.sees('Requested files from 1 person: carl@example.org');
  expect(anna.screen()).not.toMatch(/Go to message|Ask again/);
});

test('only the requester and admins can tick off a checklist point', async () => {
  const { anna, bo, acme, services } = await setUpChecklist(postgres);
  const cy = acme.addPerson({ name: 'Cy' });
  acme.channel('general').add(cy);
  const { rows } = await services.store.pool.query<{ id: string }>(
    'select id from dropline.dispatches where workspace = $1',
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

test('the audit log lists ticked checklist points by name, and metrics count them', async () => {
  const { anna, bo, acme, addItem, services } = await setUpChecklist(postgres);
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.clicks('⬜ Passport');
  await bo.sees('Arrived: Passport');
  await bo.clicks('✅ Passport');
  await bo.sees('Nothing ticked off yet');
  const [request] = await transfersIn(services.store).listEnded({ workspace: acme.id });
  const value = tickValue.write({ id: request?.id ?? '', point: 1, isTicked: true });
  await (await forgerFor(anna, acme, anna)).clicks('request.tick', { value });
  await bo.sees('Arrived: Contract, signed');
  await anna.reloads();
  await anna.types('/drop audit', { in: '#general' });
  await anna.sees(/@Bo ticked off a point of a checklist\npoint: Passport; contacts: carl@example\.org; reference: /);
  await anna.sees(/@Bo unticked a point of a checklist\npoint: Passport;/);
  await anna.sees(/@Anna ticked off a point of a checklist, requested by @Bo\npoint: Contract, signed;/);
  const url = await serve(createServer(metricsRoutes(services)));
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/^dropline_checklist_points_total\{change="ticked"\} \d+$/m);
  expect(metrics).toMatch(/^dropline_checklist_points_total\{change="unticked"\} \d+$/m);
});
