import { request } from 'undici';
import { expect, test } from 'vitest';
import { publicKeys, readReceipt } from '../../src/lib/receipt.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { sha256 } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendFile } from '../helpers/send-file.ts';

const postgres = startTestPostgres();

test('people get signed receipts of transfers and downloads in a direct message', async () => {
  const setup = await setUpInboxApp(postgres, { hasPublicUrl: true });
  const { bo, anna, acme, addItem, url, untilIdle } = setup;
  await addItem('carl@example.org', [{ name: 'offer.pdf', data: 'the offer' }]);
  await bo.sees('offer.pdf');
  await bo.types('/drop inbox');
  await bo.sees('offer.pdf');
  await bo.doesNotSee('Receipt');
  await bo.clicks('Download offer.pdf');
  await untilIdle();
  await bo.clicks('Refresh');
  await bo.sees('Downloaded by @Bo');
  await bo.clicks('Receipt of the files from carl@example.org');
  await bo.sees("I'll send you the receipt in a direct message.");
  await bo.closes();
  await untilIdle();
  const { body, headers } = await request(`${url}/.well-known/dropline.json`);
  expect(headers['content-type']).toBe('application/json');
  const { keys } = publicKeys.parse(await body.json());
  const receiptOf = async (person: Person) => {
    await person.opens('Dropline');
    await person.sees("Here's the receipt: receipt-");
    const { title = '' } = acme.files.findLast((file) => file.title?.startsWith('receipt-')) ?? {};
    const found = readReceipt(String(await (await person.downloads(title)).read()), keys);
    return 'receipt' in found ? found.receipt.entries : found;
  };
  expect(await receiptOf(bo)).toMatchObject([
    { action: 'download', by: { id: bo.id }, files: [{ name: 'offer.pdf', sha256: sha256('the offer') }] },
  ]);
  await sendFile(setup, anna, 'plan.pdf', {});
  await anna.types('/drop history', { in: '#general' });
  await anna.clicks('Details of plan.pdf');
  await anna.clicks('Receipt');
  await anna.sees("I'll send you the receipt in a direct message.");
  await anna.closes();
  await untilIdle();
  expect(await receiptOf(anna)).toMatchObject([{ action: 'send', outcome: 'sent', by: { id: anna.id } }]);
});
