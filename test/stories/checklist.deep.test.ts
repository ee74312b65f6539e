import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { showTransfer } from '../../src/features/transfers/cards/notify.ts';
import { tickValue } from '../../src/features/transfers/checklist/card.ts';
import { allOf, transfersIn } from '../../src/features/transfers/repository.ts';
import { metricsRoutes } from '../../src/process/health.ts';
import { dumpOf, encodingsOf } from '../helpers/dump.ts';
import { forgerFor } from '../helpers/forgery.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { serve } from '../helpers/serve.ts';
import { asksFor, checklistsOf, setUpChecklist } from './checklist.ts';
import { openCard } from './request.ts';

const postgres = startTestPostgres();

test('if Slack delivers a click twice, a checklist point is ticked once', async () => {
  const { bo, slack, addItem, untilIdle, audited } = await setUpChecklist(postgres);
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.sees('What has arrived? Missing: Passport and Contract, signed.');
  slack.addFault({ delivery: 'block_actions', kind: 'duplicate' });
  await bo.clicks('⬜ Passport');
  await bo.sees('Arrived: Passport');
  await untilIdle();
  expect(checklistsOf(bo).map(({ text }) => /\[(✅ Passport)\] \[(⬜ Contract, signed)\]/.test(text))).toEqual([true]);
  expect((await audited()).filter(({ action }) => action === 'tick off')).toHaveLength(1);
});

test('checklist points that are clicked at the same time are all ticked', async () => {
  const { bo, addItem, untilIdle } = await setUpChecklist(postgres);
  await addItem('carl@example.org', ['all.zip']);
  await bo.sees('What has arrived? Missing: Passport and Contract, signed.');
  await Promise.all([bo.clicks('⬜ Passport'), bo.clicks('⬜ Contract, signed')]);
  await bo.sees('✅ Everything on the checklist has arrived.');
  await untilIdle();
  expect(checklistsOf(bo)).toHaveLength(1);
  await bo.doesNotSee('Missing:');
});

test('a ticked checklist point survives a failed message update', async () => {
  const { bo, slack, addItem, services, untilIdle, audited } = await setUpChecklist(postgres);
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.sees('What has arrived? Missing: Passport and Contract, signed.');
  await untilIdle();
  const failing = slack.addFault({ method: 'chat.update', kind: 'error', error: 'internal_error', times: 50 });
  await bo.clicks('⬜ Passport');
  await failing.triggered;
  // The message wasn't updated, so it still has the same button.
  expect(checklistsOf(bo)[0]?.text).toContain('[⬜ Passport]');
  await bo.clicks('⬜ Passport');
  failing.remove();
  await bo.sees('Arrived: Passport');
  expect((await audited()).filter(({ action }) => action === 'tick off')).toHaveLength(1);
  expect(await dumpOf(services.store.pool)).not.toContain('Passport');
});

test('checklist points are encrypted in the database', async () => {
  const { bo, services } = await setUpChecklist(postgres, { isSeparate: true });
  await bo.clicks('Ask again');
  await bo.sees('Checklist:');
  const text = await dumpOf(services.store.pool);
  for (const encoded of ['Contract, signed', 'Passport'].flatMap(encodingsOf)) expect(text).not.toContain(encoded);
});

test('after a checklist request has expired, files go to the inbox', async () => {
  const { bo, addItem, inbox, services } = await setUpChecklist(postgres);
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.sees('What has arrived? Missing: Passport and Contract, signed.');
  await services.store.pool.query("update dropline.transfers set ended_at = now() - interval '73 hours'");
  await addItem('carl@example.org', ['contract.pdf']);
  await expect
    .poll(() => inbox.messages.map(({ text }) => text))
    .toContain('1 file from carl@example.org: contract.pdf');
  await bo.clicks('⬜ Passport');
  await bo.sees('Arrived: Passport');
});

test('files go to the thread again after a point of a complete checklist is unticked', async () => {
  const { bo, addItem, inbox } = await setUpChecklist(postgres);
  await addItem('carl@example.org', ['all.zip']);
  await bo.clicks('⬜ Passport');
  await bo.clicks('⬜ Contract, signed');
  await bo.sees('✅ Everything on the checklist has arrived.');
  await bo.clicks('✅ Passport');
  await bo.sees('Missing: 1 of 2');
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.sees('passport.pdf');
  expect(inbox.messages.filter(({ text }) => text.includes('passport.pdf'))).toEqual([]);
});

test('each requester ticks off their own checklist', async () => {
  const { anna, bo, addItem } = await setUpChecklist(postgres);
  await asksFor(anna, ['Passport']);
  await addItem('carl@example.org', ['passport.pdf']);
  await anna.sees('What has arrived? Missing: Passport.');
  await bo.sees('What has arrived? Missing: Passport and Contract, signed.');
  await anna.clicks('⬜ Passport');
  await anna.sees('✅ Everything on the checklist has arrived.');
  await bo.sees('Nothing ticked off yet');
});

test("the Back button keeps a repeated request's checklist and link to the first one", async () => {
  const { bo, addItem, account } = await setUpChecklist(postgres);
  await bo.clicks('Ask again');
  await bo.clicks('Back');
  await bo.sees('Passport');
  await bo.fills('Message', 'Again, please.');
  await bo.submits('Review');
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await expect.poll(() => account.uploadPages.at(-1)?.message).toBe('Again, please.\n\n- Passport\n- Contract, signed');
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.sees('What has arrived? Missing: Passport and Contract, signed.');
  expect(checklistsOf(bo)).toHaveLength(1);
  await bo.clicks('⬜ Passport');
  await expect.poll(() => bo.messages.filter(({ text }) => text.includes('Arrived: Passport')).length).toBe(2);
});

test('adding a contact to a repeated request keeps the link to the first request', async () => {
  const { bo, addItem, account } = await setUpChecklist(postgres);
  await bo.clicks('Ask again');
  await bo.clicks('Back');
  await bo.picks('Request from', 'new@person.example');
  await bo.submits('Add');
  await bo.sees('Contact added.');
  await bo.clicks('Back');
  await bo.sees(/Request from: .*new@person\.example/);
  await bo.sees('Contract, signed');
  await bo.submits('Review');
  await bo.submits('Request from 2 people');
  await openCard(bo);
  await expect.poll(() => account.uploadPages.length).toBe(3);
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.clicks('⬜ Passport');
  await expect.poll(() => bo.messages.filter(({ text }) => text.includes('Arrived: Passport')).length).toBe(2);
});

test('a checklist has at most 20 points of at most 100 characters', async () => {
  const { bo, account } = await setUpChecklist(postgres);
  await bo.types('/drop request', { in: 'Dropline' });
  await bo.picks('Request from', 'carl@example.org');
  await bo.fills('Message', 'Please');
  await bo.fills('Checklist', Array.from({ length: 21 }, (_, number) => `Point ${number}`).join('\n'));
  await bo.submits('Review');
  await bo.sees('Too many points (21; limit 20).');
  await bo.fills('Checklist', `Passport\n- ${'x'.repeat(101)}`);
  await bo.submits('Review');
  await bo.sees(`Shorten “${'x'.repeat(30)}…” to 100 characters.`);
  await bo.fills('Checklist', '- <!channel> *bold*\n\n• Passport\nPassport');
  await bo.submits('Review');
  await bo.sees('<!channel> *bold*');
  await bo.submits('Request from 1 person');
  await expect.poll(() => account.uploadPages.length).toBe(2);
  expect(account.uploadPages[1]?.message).toBe('Please\n\n- <!channel> *bold*\n- Passport');
});

test('a request with a checklist needs no message', async () => {
  const { bo, account } = await setUpChecklist(postgres);
  await bo.types('/drop request', { in: 'Dropline' });
  await bo.picks('Request from', 'dora@example.net');
  await bo.sees('Enter a message, a checklist or both.');
  await bo.sees('Checklist, one point per line (optional)');
  await bo.fills('Checklist', '  ');
  await bo.submits('Review');
  await bo.sees('Enter a message or a checklist.');
  await bo.fills('Checklist', 'Passport\nContract');
  await bo.submits('Review');
  await bo.sees('Checklist:');
  expect(bo.screen()).not.toContain('Message:');
  expect(bo.screen()).toContain("There's no message, so recipients can't tell who is asking.");
  await bo.clicks('Back');
  await bo.sees('Message (optional): ‹');
  await bo.submits('Review');
  await bo.submits('Request from 1 person');
  await expect.poll(() => account.uploadPages.length).toBe(2);
  expect(account.uploadPages[1]?.message).toBe('- Passport\n- Contract');
});

test('after a request is repeated, the first card has a button to view the newer one', async () => {
  const { bo, addItem } = await setUpChecklist(postgres);
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.clicks('⬜ Passport');
  await bo.sees('Arrived: Passport');
  await bo.clicks('Ask again');
  await bo.clicks('Back');
  await bo.fills('Checklist', 'Proof of address');
  await bo.submits('Review');
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await bo.sees('You asked again on ');
  // The newer request doesn't list the contract, so it can still be ticked off here.
  await bo.clicks('⬜ Contract, signed');
  await bo.doesNotSee('[⬜ Contract, signed]');
  await bo.clicks('View newer request', { near: 'You asked again on ' });
  await bo.sees(/== Request ==[\s\S]*Follow-up to an earlier request\.[\s\S]*\[⬜ Proof of address\]/);
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

test('the audit log lists ticked checklist points by name, and metrics count them', async () => {
  const { anna, bo, acme, addItem, services } = await setUpChecklist(postgres);
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.clicks('⬜ Passport');
  await bo.sees('Arrived: Passport');
  await bo.clicks('✅ Passport');
  await bo.sees('Nothing ticked off yet');
  const [request] = await allOf(transfersIn(services.store).ended({ workspace: acme.id }));
  const value = tickValue.write({ id: request?.id ?? '', point: 1, isTicked: true });
  await (await forgerFor(anna, acme, anna)).clicks('request.tick', { value });
  await bo.sees('Arrived: Contract, signed');
  await anna.reloads();
  await anna.types('/drop audit', { in: '#general' });
  await anna.sees(/@Bo ticked off “Passport” of the request to carl@example\.org\ntransfer \w{8}\n/);
  await anna.sees('@Bo unticked “Passport” of the request to carl@example.org');
  await anna.sees(
    /@Anna ticked off “Contract, signed” of the request to carl@example\.org\nrequested by @Bo; transfer/,
  );
  const url = await serve(createServer(metricsRoutes(services, 'web', undefined, undefined)));
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/^dropline_checklist_points_total\{change="ticked"\} \d+$/m);
  expect(metrics).toMatch(/^dropline_checklist_points_total\{change="unticked"\} \d+$/m);
});

test('after a crash, asking again is still shown on the card of the earlier request', async () => {
  const { bo, acme, services, slack, untilIdle } = await setUpChecklist(postgres);
  await bo.clicks('Ask again');
  await bo.sees('Checklist:');
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await bo.sees('You asked again on ');
  await untilIdle();
  const [second, first] = await allOf(transfersIn(services.store).ended({ workspace: acme.id }));
  // As if the process had died before it updated the first card, and the job ran again.
  await services.store.pool.query('update dropline.transfers set notified_at = null where id = $1', [second?.id]);
  const { length } = slack.calls;
  await showTransfer(services, second?.id ?? '');
  const updates = slack.calls.slice(length).filter(({ method }) => method === 'chat.update');
  const cards = [second, first].map((request) => request?.locations.card?.ts);
  expect(updates.map((call) => call.arguments.ts)).toEqual(cards);
});

test('a tick is shown in the thread and on the card although the first update fails', async () => {
  const { bo, slack, addItem } = await setUpChecklist(postgres);
  await addItem('carl@example.org', ['passport.pdf']);
  await bo.sees('What has arrived? Missing: Passport and Contract, signed.');
  slack.addFault({ method: 'chat.update', kind: 'error', error: 'internal_error' });
  await bo.clicks('⬜ Passport');
  await bo.sees('[✅ Passport]');
  await bo.sees('Missing: 1 of 2');
  await bo.doesNotSee('Something went wrong');
});
