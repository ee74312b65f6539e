import { expect, test } from 'vitest';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a file longer than its Content-Length is truncated to it or not delivered', async () => {
  const { bo, addItem, exchange, acme } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  const headers = { 'content-type': 'application/pdf', 'content-length': '10' };
  exchange.addFault({ operation: 'download', kind: 'answer', answer: { headers, body: '0123456789 and more' } });
  await bo.clicks('Download plan.pdf');
  await bo.opens('Dropline');
  await bo.sees(/\(file: plan\.pdf\)|couldn't be downloaded/);
  expect(acme.files.every(({ size }) => size === 10)).toBe(true);
});

test('a file that Slack refuses is reported with advice', async () => {
  const { bo, addItem, slack, acme, url } = await setUpInboxApp(postgres, { hasPublicUrl: true });
  await addItem('carl@example.org', ['tool.exe', { name: 'empty.txt', data: '' }]);
  slack.addFault({ method: 'files.completeUploadExternal', kind: 'error', error: 'file_type_not_allowed' });
  await bo.clicks('Download tool.exe');
  await bo.clicks('Download empty.txt');
  await bo.opens('Dropline');
  await bo.sees("This workspace doesn't allow this file type. Ask a workspace admin.");
  await bo.sees("“empty.txt” is empty. Slack doesn't accept empty files.");
  // The empty file has no retry button, because it would fail again.
  expect(bo.screen().match(/\[Try again\]/g)).toHaveLength(1);
  slack.addFault({ method: 'files.getUploadURLExternal', kind: 'error', error: 'missing_scope' });
  await bo.clicks('Download tool.exe again');
  await bo.sees('the permission “files:write” was declined');
  await bo.clicks('Allow file access');
  expect(bo.opened).toEqual([`${url}/slack/install`]);
  expect(acme.files).toEqual([]);
});

test('an unsafe file name is cleaned, and an HTML page arrives as a file', async () => {
  const { bo, addItem, account } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', [{ name: 'page.html', data: '<script>alert(1)</script>' }, 'plan.pdf']);
  const stored = account.inbox[0]?.files[1];
  if (stored !== undefined) stored.name = '../../x"; evil';
  await bo.sees('x_; evil');
  await bo.clicks('Download page.html');
  await bo.clicks('Download x_; evil');
  await bo.opens('Dropline');
  expect(String(await (await bo.downloads('page.html')).read())).toBe('<script>alert(1)</script>');
  await bo.sees(/\(file: x_; evil\)|couldn't be downloaded/);
});
