import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { testMalware, testSignature } from '../../src/sandbox/scanner.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews } from '../helpers/send-steps.ts';
import { startTestScanner } from '../scan/helper.ts';
import { opensFiles, waitsForReview } from './open-files.ts';
import { scanBy } from './scanning.ts';
import { setApproval } from './waiting-approval.ts';

const postgres = startTestPostgres();
const scanner = startTestScanner();
const setUp = () => setUpApp(postgres, scanBy(scanner.server));

const infected = { name: 'bad.txt', data: `text ${testMalware}` };
const clean = { name: 'plan.txt', data: 'the plan' };

test('sender and admin learn of malware, and the other files can be sent', async () => {
  const { anna, bo, account, services } = await setUp();
  await reviews(bo, { attached: [clean, infected] });
  await confirms(bo, 2);
  await bo.sees('⚠️ Not sent');
  await bo.sees(`Malware found in “bad.txt”: ${testSignature}. Nothing was sent.`);
  expect(account).toMatchObject({ drops: [], uploads: [] });
  await anna.opens('Dropline');
  await anna.sees(`🛑 Malware found in “bad.txt”: ${testSignature}.`);
  await anna.sees('In a transfer by @Bo.');
  await bo.doesNotSee('Try again…');
  await bo.clicks('Send without bad.txt…');
  await bo.sees("can't be recalled");
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['plan.txt']]);
  expect(await services.metrics.render()).toMatch(/dropline_scans_total\{verdict="infected"\} [1-9]/);
});

test('a file that was not scanned is blocked; if an admin allows it, the card says so', async () => {
  const { anna, bo, acme, account, services, logged } = await setUp();
  scanner.server.behaviour.mode = 'closes';
  await reviews(bo, { attached: [clean] });
  await confirms(bo, 1);
  await bo.sees("“plan.txt” couldn't be scanned for malware, so it was blocked.");
  expect(account.drops).toEqual([]);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { unscanned: 'note' });
  await bo.clicks('Try again…');
  await bo.sees("can't be recalled");
  await confirms(bo, 1);
  await bo.sees('⚠️ Not scanned for malware: plan.txt (The connection to the scanner failed).');
  expect(account.drops).toHaveLength(1);
  expect(logged()).toMatch(
    /"level":"warn".*"reason":"The connection to the scanner failed\.","msg":"file not scanned"/,
  );
  expect(logged()).not.toMatch(/plan\.txt.*"msg":"file not scanned"/);
});

test("an approver doesn't get an infected file, and an admin learns of it", async () => {
  const app = await setUp();
  const { acme, anna, bo } = app;
  const cleo = acme.addPerson({ name: 'Cleo' });
  await setApproval(app, { every: true, approvers: [cleo.id] });
  await waitsForReview(bo, cleo, [infected, clean]);
  await opensFiles(cleo);
  await cleo.sees(`⚠️ “bad.txt” couldn't be opened. Malware found in “bad.txt”: ${testSignature}.`);
  await cleo.sees("Here's your copy of “plan.txt”.");
  expect(acme.files).toHaveLength(3);
  await anna.opens('Dropline');
  await anna.sees(`🛑 Malware found in “bad.txt”: ${testSignature}.`);
  await anna.sees('In a transfer by @Bo.');
});

test("the status shows the version of the scanner, or why it doesn't answer", async () => {
  const { bo } = await setUp();
  await bo.types('/drop status', { in: '#general' });
  await bo.sees('✅ Malware scanner is online: ClamAV 1.0.0-simulated/1/Mon Jan 5 09:00:00 2026');
  await bo.closes();
  scanner.server.behaviour.mode = 'closes';
  await bo.types('/drop status', { in: '#general' });
  await bo.sees("⚠️ The malware scanner isn't working right now: the scanner closed the connection");
});
