import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';
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

test('files are read from hosts that Slack redirects to; only Slack gets the token', async () => {
  const { bo, slack, acme, services } = await setUpApp(postgres);
  await stages(bo, [plan]);
  const [{ id } = { id: '' }] = acme.files;
  for (const [fileHost, hosts] of [
    ['files-origin', ['pri', 'origin']],
    ['edge', ['pri', 'edge']],
  ] as const) {
    slack.behaviour.fileHost = fileHost;
    slack.calls.length = 0;
    const stream = await services.sources.open(acme.id, id, new AbortController().signal);
    expect(Buffer.concat(await stream.toArray()).toString()).toBe(plan.data);
    const downloads = slack.calls.filter(({ method }) => method === 'download');
    expect(downloads.map(({ arguments: { host } }) => host)).toEqual(hosts);
  }
  // On the way to another host, a sign-in page is still recognised.
  Object.assign(acme.files[0] ?? {}, { shares: [] });
  const opening = services.sources.open(acme.id, id, new AbortController().signal);
  await expect(opening).rejects.toThrow("I can't read it. Invite me to its channel");
});

test('fresh uploads, renamed files and images without EXIF data are sent as reviewed', async () => {
  const { anna, bo, acme, slack, account, services } = await setUpApp(postgres);
  const photo = { name: 'photo.jpg', data: 'EXIF of the photo', stripped: 'the photo' };
  slack.behaviour.processingLag = 1;
  await stages(bo, [plan]);
  await reviews(bo, { attached: [photo], field: 'More files' });
  await bo.sees('plan.pdf 27 bytes');
  await bo.sees('photo.jpg 9 bytes');
  await bo.sees('Total 36 bytes');
  await bo.renamesFile('plan.pdf', 'The plan');
  await confirms(bo, 2);
  await bo.sees('✅ Sent');
  expect(account.drops[0]?.files).toMatchObject([
    { name: 'plan.pdf', bytes: 27, sha256: sha256(plan.data) },
    { name: 'photo.jpg', bytes: 9, sha256: sha256(photo.stripped) },
  ]);
  // Limits apply to what Slack sends, even if it is larger than stated.
  const admin = { workspace: acme.id, person: anna.id };
  await changeSettings(services, admin, { maxFileMb: 1 });
  await bo.shares([{ name: 'large.jpg', data: 'small', stripped: 'x'.repeat(1_000_001) }]);
  await bo.sees("“large.jpg” can't be sent. The limit in this workspace is 1 MB per file.");
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
