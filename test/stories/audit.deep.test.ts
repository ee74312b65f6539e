import { expect, test } from 'vitest';
import { exportAudit } from '../../src/features/audit/export.ts';
import { setUpApp } from '../helpers/app.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';
import { openCard } from './request.ts';

const postgres = startTestPostgres();

test('the reference of a failed send or request is in the audit log and the log', async () => {
  const { anna, bo, exchange, logged, changeSettings } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  exchange.addFault({ operation: 'receivers_set', kind: 'answer', answer: { status: 409, body: 'No.' }, times: 20 });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo);
  await confirms(bo, 1);
  await bo.sees(/Not sent[\s\S]*\(Reference \w{8}\)/);
  await bo.types('/drop request');
  await bo.picks('Request from', 'dora@example.net');
  await bo.fills('Message', 'Please');
  await bo.submits('Review');
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await bo.sees(/couldn't be sent[\s\S]*\(Reference \w{8}\)/);
  const references = [
    ...new Set(Array.from(bo.screen().matchAll(/\(Reference (\w{8})\)/g), ([, reference]) => reference)),
  ];
  expect(references).toHaveLength(2);
  const lines = logged()
    .split('\n')
    .filter((line) => line.includes('"transfer ended"'))
    .map((line) => JSON.parse(line));
  expect(lines.map(({ reference }) => reference)).toEqual(references);
  expect(lines).toMatchObject([
    { level: 'warn', operation: 'send', reason: expect.any(String) },
    { level: 'warn', operation: 'request', reason: expect.any(String) },
  ]);
  await anna.types('/drop audit');
  for (const reference of references) await anna.sees(new RegExp(`Reference ${reference}$`, 'm'));
});

test('a long audit log is paginated', async () => {
  const { anna, acme, services } = await setUpApp(postgres);
  for (let number = 1; number <= 20; number += 1) {
    const entry = {
      workspace: acme.id,
      person: anna.id,
      action: 'download',
      outcome: 'done',
    } as const;
    const details = { files: [{ name: `${number}.txt` }] };
    await services.store.audit.record({ ...entry, details, reference: `R${number}` });
  }
  await anna.types('/drop audit', { in: '#general' });
  await anna.sees('downloaded 20.txt');
  await anna.doesNotSee('downloaded 5.txt');
  await anna.clicks('Older');
  await anna.sees('downloaded 5.txt');
  await anna.sees('@Anna connected the workspace');
  await anna.clicks('Newest');
  await anna.sees('downloaded 20.txt');
});

test('without files:write, an export is refused with a link to allow it', async () => {
  const { anna, untilIdle, url } = await setUpApp(postgres, { declined: ['files:write'], hasPublicUrl: true });
  await anna.types('/drop disconnect', { in: '#general' });
  await anna.clicks('Export audit log');
  await anna.sees("I can't add files to Slack here, because the permission “files:write” was declined.");
  await anna.clicks('Allow file access');
  expect(anna.opened).toEqual([`${url}/slack/install`]);
  await untilIdle();
  expect(anna.messages.filter(({ text }) => text.includes('audit'))).toEqual([]);
});

test('if an export leaves out older entries, it says how far back it goes', async () => {
  const { anna, acme, services } = await setUpApp(postgres);
  const admin = { workspace: acme.id, person: anna.id };
  const entry = { ...admin, action: 'download', outcome: 'done' } as const;
  for (let number = 0; number < 1_200; number += 1)
    await services.store.audit.record({ ...entry, reference: `R${number}` });
  const complete = await exportAudit(services, admin);
  expect(complete.olderThan).toBeUndefined();
  expect(complete.csv).toContain(',R0,');
  const partial = await exportAudit(services, admin, { maxRows: 500 });
  expect(partial.csv).not.toContain(',R0,');
  expect(partial.csv.trim().split('\n').at(-1)).toContain(partial.olderThan);
});

test('an expected error shows no reference, but its audit entry has one', async () => {
  const { anna, bo, gus, addItem } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await gus.opens('#inbox');
  await gus.clicks('Download plan.pdf');
  await gus.sees("Guests, bots and people from other organisations can't use Dropline here.");
  await bo.types('/drop settings');
  await bo.sees('Only admins can do this.');
  for (const person of [gus, bo]) expect(person.screen()).not.toContain('Reference');
  await anna.types('/drop audit');
  await anna.sees(/@Gus tried to ask for a download of a file: not allowed[^@]*Reference \w{8}/);
});
