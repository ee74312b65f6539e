import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews } from '../helpers/send-steps.ts';
import { expectNothingSent, plan } from './send-sources.ts';

const postgres = startTestPostgres();

test("a file whose download from Slack is interrupted isn't sent; a retry sends it", async () => {
  const setup = await setUpApp(postgres);
  const { bo, slack, account } = setup;
  await reviews(bo, { attached: [plan] });
  slack.addFault({ method: 'download', kind: 'cut' });
  await confirms(bo, 1);
  await bo.sees("“plan.pdf” couldn't be uploaded, so nothing was sent.");
  expectNothingSent(setup);
  expect(setup.logged()).toMatch(/"level":"warn".*"outcome":"failed","reason":"file-failed","msg":"transfer ended"/);
  await bo.clicks('Try again…');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops.map(({ files }) => files.map(({ sha256: sum }) => sum))).toEqual([[sha256(plan.data)]]);
});

test('a link to another site is refused; files in the same message are staged', async () => {
  const setup = await setUpApp(postgres);
  const { bo, slack } = setup;
  const sheet = { name: 'sheet', externalUrl: 'https://docs.example.com/sheet' };
  const refusal = "“sheet” is a link to another site and can't be sent.";
  await bo.opens('Dropline');
  await bo.shares([sheet, plan], { text: 'look at these' });
  await bo.sees(refusal);
  await bo.sees('Ready to send: plan.pdf.');
  await bo.usesShortcut('Send securely', { on: 'look at these' });
  await bo.sees(`⚠️ ${refusal}`);
  await bo.sees('Choose from your files ready to send (optional): plan.pdf (27 bytes)');
  await bo.closes();
  await bo.types('/drop files');
  await bo.sees('plan.pdf · 27 bytes');
  await bo.doesNotSee('sheet');
  // The bot's token goes only to Slack, so the link was never requested.
  expect(slack.calls.filter(({ method }) => method === 'download')).toEqual([]);
});
