import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews } from '../helpers/send-steps.ts';
import { startTestScanner } from '../scan/helper.ts';
import { scanBy } from './scanning.ts';

const postgres = startTestPostgres();
const scanner = startTestScanner();

test('an admin sets file rules, and each value is validated at its field', async () => {
  const { anna, acme, services } = await setUpApp(postgres);
  await anna.types('/drop settings', { in: '#general' });
  await anna.sees("All file types can be sent, of any size. Files that can't be scanned are blocked.");
  await anna.clicks('Change file rules');
  await anna.sees("Dropline's operator hasn't set up a malware scanner. Files aren't scanned.");
  await anna.fills('Extensions', 'exe');
  await anna.submits('Save');
  await anna.sees('Choose “Only these” or “All except these”, or empty this field.');
  await anna.fills('Extensions', '');
  await anna.picks('File types', 'All except these');
  await anna.submits('Save');
  await anna.sees('Enter at least one extension, or allow any file type.');
  await anna.fills('Extensions', '.EXE, *.scr bad/one');
  await anna.submits('Save');
  await anna.sees("“bad/one” isn't a valid file extension, like pdf.");
  await anna.fills('Extensions', '.EXE, *.scr exe');
  await anna.fills('Largest file (MB)', '0.5');
  await anna.submits('Save');
  await anna.sees('Enter a whole number of 1 or more.');
  await anna.fills('Largest file (MB)', '50');
  await anna.fills('Largest transfer (MB)', '200');
  await anna.picks("Files that can't be scanned", 'Allow and note it');
  await anna.submits('Save');
  await anna.sees('✅ Saved.');
  await anna.sees(
    "All file types except .exe and .scr can be sent, up to 50 MB per file and 200 MB per transfer. Files that can't be scanned are allowed and noted.",
  );
  expect(await readSettings(services, { workspace: acme.id })).toMatchObject({
    fileTypes: 'block',
    extensions: ['exe', 'scr'],
    maxFileMb: 50,
    maxTotalMb: 200,
    unscanned: 'note',
  });
  await anna.clicks('Change file rules');
  await anna.fills('Largest file (MB)', '');
  await anna.submits('Save');
  await anna.sees(/== Turn off 1 rule\? ==\s+.*The limit for the size of a file/);
  await anna.submits('Turn off');
  await anna.sees('can be sent, up to 200 MB per transfer.');
});

test('each page explains its rules, and says what the operator has set', async () => {
  const { anna, bo } = await setUpApp(postgres, scanBy(scanner.server, { isRequired: true }));
  await anna.types('/drop settings', { in: '#general' });
  await anna.sees(/Approval · No transfer needs approval\.[\s\S]*File rules · All file types can be sent/);
  await anna.clicks('Change approvers');
  await anna.sees(/== Approvers ==\s+No one can approve transfers yet\./);
  await anna.sees("Senders can't approve their own transfers.");
  await anna.picks('Approvers', bo.name);
  await anna.submits('Save');
  await anna.clicks('Change approval rules');
  await anna.sees(/== Approval rules ==\s+No transfer needs approval\./);
  await anna.clicks('For every transfer');
  await anna.submits('Save');
  await anna.sees(/✅ Saved\.[\s\S]*@Bo can approve transfers, for 3 days\. Approval is needed for every transfer\./);
  await anna.clicks('Change file rules');
  await anna.sees("The operator blocks files that can't be scanned.");
  await anna.sees("Files are scanned when they're sent or downloaded. Only admins can download infected ones.");
  await anna.fills('Largest file (MB)', '50');
  await anna.submits('Save');
  await anna.sees(/== Settings ==\s+✅ Saved\.[\s\S]*up to 50 MB per file\./);
});

test('a forbidden file is refused in a direct message, in the form and on the card', async () => {
  const { anna, bo, acme, services, account } = await setUpApp(postgres);
  const setPolicies = (rules: object) =>
    changeSettings(services, { workspace: acme.id, person: anna.id }, { fileTypes: 'any', extensions: [], ...rules });
  const onlyPdf = { fileTypes: 'allow', extensions: ['pdf'] };
  await setPolicies(onlyPdf);
  await bo.opens('Dropline');
  await bo.shares([{ name: 'setup.exe', data: 'MZ' }], { in: 'Dropline' });
  await bo.sees("“setup.exe” can't be sent. This workspace only allows these file types: .pdf.");
  const disguised = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0'), Buffer.alloc(300)]);
  const attached = [
    { name: 'plan.pdf', data: disguised },
    { name: 'ok.pdf', data: '%PDF-1.7\n' },
  ];
  await setPolicies({ fileTypes: 'any' });
  await reviews(bo, { attached });
  await setPolicies(onlyPdf);
  await confirms(bo, 2);
  await bo.sees('“plan.pdf” looks like a .exe file.');
  expect(account).toMatchObject({ drops: [], uploads: [] });
  await bo.clicks('Send without plan.pdf…');
  await bo.sees("can't be recalled");
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['ok.pdf']]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.attaches('Files', attached);
  await bo.submits('Review');
  await bo.sees('“plan.pdf” looks like a .exe file. This workspace only allows these file types: .pdf.');
  await bo.attaches('Files', [{ name: 'tool.zip', data: 'PK' }]);
  await bo.submits('Review');
  await bo.sees("“tool.zip” can't be sent.");
});
