import { expect, test } from 'vitest';
import { testMalware, testSignature } from '../../src/sandbox/scanner.ts';
import { sha256, until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { startTestScanner } from '../scan/helper.ts';
import { fetchLink, setUpLinks, signInTo } from './download-link.ts';
import { scanBy } from './scanning.ts';
import { allowUnscanned, infected, largeData, markText, refusalText } from './scanning-inbox.ts';

const postgres = startTestPostgres();
const scanner = startTestScanner();
const options = () => ({ ...scanBy(scanner.server), hasPublicUrl: true });
const largeInfected = { name: 'large.bin', data: Buffer.concat([largeData, Buffer.from(testMalware)]) };

test('an infected file is never uploaded to Slack; its post and the inbox warn of it', async () => {
  const { anna, bo, slack, acme, addItem, audited } = await setUpInboxApp(postgres, options());
  await addItem('carl@example.org', ['clean.txt', infected]);
  await bo.clicks('Download bad.txt');
  await bo.opens('Dropline');
  await bo.sees(`“bad.txt” from carl@example.org couldn't be downloaded. ${refusalText}`);
  await bo.doesNotSee('Try again');
  expect(slack.calls.filter(({ method }) => method === 'files.completeUploadExternal')).toEqual([]);
  expect(acme.files).toEqual([]);
  await anna.opens('Dropline');
  await anna.sees(`🛑 Malware found in a received file: ${testSignature}. It wasn't delivered. Details: /drop audit.`);
  await anna.sees('In a download by @Bo.');
  await bo.opens('#inbox');
  await bo.sees(markText);
  await bo.types('/drop inbox');
  await bo.sees(markText);
  await bo.closes();
  expect((await audited()).at(-1)).toMatchObject({ person: bo.id, action: 'download', outcome: 'infected' });
  await bo.clicks('Download clean.txt');
  await bo.opens('Dropline');
  expect((await bo.downloads('clean.txt')).sha256).toBe(sha256('bytes of clean.txt'));
});

test('an infected file is refused to members; an admin gets a link with a warning', async () => {
  const { anna, bo, acme, addItem, audited } = await setUpInboxApp(postgres, options());
  await addItem('carl@example.org', [infected]);
  await bo.clicks('Download bad.txt');
  await bo.sees(markText);
  await bo.clicks('Download anyway…');
  await bo.confirms('Get link');
  await bo.sees(refusalText);
  await anna.opens('#inbox');
  await anna.clicks('Download anyway…');
  await anna.confirms('Get link');
  await anna.sees('I sent you the link in a direct message.');
  await anna.opens('Dropline');
  await anna.sees(`⚠️ Malware found in this file: ${testSignature}.`);
  await anna.clicks('Open download page');
  const link = await signInTo((await until(() => anna.opened[0], 'the page to be opened')) as string, anna);
  const page = String((await fetchLink(link, 'GET')).body);
  expect(page).toContain('Malware was found in this file.');
  expect(page).toContain('<button>Download anyway</button>');
  expect(String((await fetchLink(link, 'POST')).body)).toBe(infected.data);
  expect(acme.files).toEqual([]);
  await expect
    .poll(async () => (await audited()).slice(-2))
    .toEqual([
      { person: anna.id, action: 'ask for a download', outcome: 'done' },
      { person: anna.id, action: 'download', outcome: 'done' },
    ]);
});

test('a browser never receives a complete infected file', async () => {
  const { bo, addItem, linkTo, exchange, anna } = await setUpLinks(postgres, options());
  await addItem('carl@example.org', [infected, largeInfected, { ...largeInfected, name: 'chunked.bin' }]);
  const smallLink = await linkTo('bad.txt');
  const small = await fetchLink(smallLink, 'POST');
  expect(small.status).toBe(403);
  expect(String(small.body)).toContain('<h1>File blocked</h1>');
  expect(String(small.body)).toContain(refusalText);
  expect(String(small.body)).not.toContain(testMalware);
  expect((await fetchLink(smallLink, 'POST')).status).toBe(404);
  await expect(fetchLink(await linkTo('large.bin'), 'POST')).rejects.toThrow();
  exchange.behaviour.downloadFraming = 'chunked';
  await expect(fetchLink(await linkTo('chunked.bin'), 'POST')).rejects.toThrow();
  await bo.opens('#inbox');
  await expect.poll(() => bo.screen().split(markText).length - 1).toBe(3);
  await anna.opens('#inbox');
  await anna.doesNotSee('Downloaded by');
});

test('an unscanned file is blocked, or delivered with a note if the settings allow it', async () => {
  const { bo, addItem, changeSettings, acme, audited } = await setUpInboxApp(postgres, options());
  await addItem('carl@example.org', ['a.txt', { name: 'large.bin', data: Buffer.alloc(6_000_000) }]);
  scanner.server.behaviour.mode = 'dies';
  await bo.clicks('Download a.txt');
  await bo.opens('Dropline');
  await bo.sees("“a.txt” couldn't be scanned for malware, so it was blocked. The connection to the scanner failed.");
  expect(acme.files).toEqual([]);
  await changeSettings(allowUnscanned);
  await bo.clicks('Download a.txt again');
  await bo.sees('“a.txt” from carl@example.org (not scanned for malware)');
  await bo.opens('#inbox');
  await bo.sees('⚠️ Downloaded without a malware scan. The connection to the scanner failed.');
  await bo.clicks('Download large.bin');
  await bo.sees('⚠️ Downloaded without a malware scan. The file is larger than the scanner accepts.');
  const outcomes = async () =>
    (await audited()).flatMap(({ action, outcome }) => (action === 'download' ? [outcome] : []));
  await expect.poll(outcomes).toEqual(['not-scanned', 'done', 'done']);
});
