import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { runJobsNow } from '../helpers/contacts.ts';
import { until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a contact table is refused if invalid, too large or unchanged; Windows ones work', async () => {
  const { bo, account } = await setUpApp(postgres);
  const before = structuredClone(account.contacts.local);
  await bo.opens('#general');
  const previews = async (data: string | Buffer, message: string) => {
    await bo.types('/drop contacts');
    await bo.clicks('Import');
    await bo.attaches('CSV file', [{ name: 'people.csv', data }]);
    await bo.submits('Preview import');
    await bo.sees(message);
    await bo.closes();
  };
  await previews('name,number\nFia,1', 'The first row must contain column names');
  await previews(`email\n${'x'.repeat(2_000_001)}`, 'limit 2.0 MB). Split it.');
  await previews('email\ncarl@example.org\n', 'Nothing to import.');
  // Spreadsheets on Windows write this encoding and separator.
  await previews(Buffer.from('email;name\nfia@example.org;F\xefa\n', 'latin1'), '1 new contact');
  expect(account.contacts.local).toEqual(before);
});

test('an export that Slack accepts but never shows is reported as failed', async () => {
  const { bo, slack } = await setUpApp(postgres, { timing: { shareCheckPausesMs: [20, 50, 100, 200] } });
  slack.behaviour.shareMs = Number.POSITIVE_INFINITY;
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Export');
  await bo.sees('in a direct message');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees("The contacts couldn't be exported. Slack hasn't shown the file yet.");
  expect(slack.calls.map(({ arguments: { text } }) => text).join()).not.toContain('the CSV');
});

test('after three 504s an export is given up, in the message that announced it', async () => {
  const { bo, slack, services } = await setUpApp(postgres);
  slack.addFault({ method: 'upload', kind: 'server-error', status: 504, times: 3 });
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Export');
  await bo.sees('in a direct message');
  await bo.closes();
  await bo.opens('Dropline');
  await until(async () => {
    await runJobsNow(services);
    return bo.screen().includes("couldn't be exported. Try again") || undefined;
  }, 'the message');
  await bo.doesNotSee('Exporting');
});

test('if Slack refuses an export, the message says why and what to do', async () => {
  const { anna, bo, acme, services, slack } = await setUpApp(postgres);
  slack.addFault({ method: 'files.completeUploadExternal', kind: 'error', error: 'file_type_not_allowed' });
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Export');
  await bo.sees('in a direct message');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees("The contacts couldn't be exported. This workspace doesn't allow this file type.");

  const installation = await services.store.installations.get(acme.id);
  const bot = { ...(installation?.bot as object), scopes: ['commands', 'chat:write', 'files:read'] };
  await services.slack.installations.add({ ...installation, bot } as never);
  await anna.opens('#general');
  await anna.types('/drop contacts');
  await anna.clicks('Export');
  await anna.sees('An admin can install me again and allow it.');
});
