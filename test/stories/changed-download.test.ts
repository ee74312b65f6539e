import { expect, test } from 'vitest';
import { apiKey } from '../helpers/exchange.ts';
import { sha256 } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('if a retry of a download reads other bytes, the audit says so', async () => {
  const { bo, anna, acme, addItem, slack, exchange, services, untilIdle } = await setUpInboxApp(postgres);
  const { files } = await addItem('carl@example.org', [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.sees('plan.pdf');
  exchange.addAccount({ user: 'other@example.com', apiKey });
  const other = await exchange.addInboxItem('other@example.com', {
    sender: 'carl@example.org',
    files: [{ name: 'plan.pdf', data: 'THE PLAN' }],
  });
  const failing = slack.addFault({ method: 'upload', kind: 'reset-after' });
  await bo.clicks('Download plan.pdf');
  await failing.triggered;
  Object.assign(files[0] ?? {}, other.files[0]);
  await bo.opens('Dropline');
  expect(String(await (await bo.downloads('plan.pdf')).read())).toBe('THE PLAN');
  await untilIdle();
  const [entry] = await services.store.audit.list(acme.id, { action: 'download' });
  expect(entry?.details).toMatchObject({
    files: [{ name: 'plan.pdf', size: 8, sha256: sha256('THE PLAN') }],
    earlierSha256: sha256('the plan'),
  });
  await anna.types('/drop audit', { in: '#general' });
  await anna.sees('the file has changed since an earlier download');
});
