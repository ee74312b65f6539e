import { expect, test } from 'vitest';
import { defaultSettings } from '../../src/features/settings/repository.ts';
import { testMalware, testSignature } from '../../src/sandbox/scanner.ts';
import { sha256, until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { startTestScanner } from '../scan/helper.ts';
import { fetchLink, setUpLinks } from './download-link.ts';
import { scanBy } from './scanning.ts';

const postgres = startTestPostgres();
const scanner = startTestScanner();
const options = () => ({ ...scanBy(scanner.server), hasPublicUrl: true });

const infected = { name: 'bad.txt', data: `text ${testMalware}` };
const large = Buffer.alloc(1_000_000, 'a stretch of a large file; ');
const largeInfected = { name: 'large.bin', data: Buffer.concat([large, Buffer.from(testMalware)]) };
const note = { policies: { ...defaultSettings.policies, unscanned: 'note' as const } };
const found = `Malware found: ${testSignature}. Only an admin can download this file.`;
const marked = `🛑 Malware found: ${testSignature}. Only admins can download it.`;

test('an infected file never appears in Slack; its post and the inbox say so', async () => {
  const { anna, bo, slack, acme, arrive, audited } = await setUpInboxApp(postgres, options());
  await arrive('carl@example.org', ['clean.txt', infected]);
  await bo.clicks('Download bad.txt');
  await bo.opens('Dropline');
  await bo.sees(`“bad.txt” from carl@example.org couldn't be downloaded. ${found}`);
  await bo.doesNotSee('Try again');
  expect(slack.calls.filter(({ method }) => method === 'files.completeUploadExternal')).toEqual([]);
  expect(acme.files).toEqual([]);
  await anna.opens('Dropline');
  await anna.sees(`🛑 Malware found in “bad.txt” from carl@example.org: ${testSignature}. It wasn't delivered.`);
  await anna.sees('In a download by @Bo.');
  await bo.opens('#inbox');
  await bo.sees(marked);
  await bo.types('/drop inbox');
  await bo.sees(marked);
  await bo.closes();
  expect((await audited()).at(-1)).toMatchObject({ person: bo.id, act: 'download', outcome: 'infected' });
  await bo.clicks('Download clean.txt');
  await bo.opens('Dropline');
  expect((await bo.downloads('clean.txt')).sha256).toBe(sha256('bytes of clean.txt'));
});

test('an infected file is refused to members; an admin gets a link with a warning', async () => {
  const { anna, bo, acme, arrive, audited } = await setUpInboxApp(postgres, options());
  await arrive('carl@example.org', [infected]);
  await bo.clicks('Download bad.txt');
  await bo.sees(marked);
  await bo.clicks('Download anyway…');
  await bo.confirms('Get link');
  await bo.sees(found);
  await anna.opens('#inbox');
  await anna.clicks('Download anyway…');
  await anna.confirms('Get link');
  await anna.sees('I sent you the link in a direct message.');
  await anna.opens('Dropline');
  await anna.sees(`⚠️ Malware found in this file: ${testSignature}.`);
  await anna.clicks('Open download page');
  const link = (await until(() => anna.opened[0], 'the page to be opened')) as string;
  const page = String((await fetchLink(link, 'GET')).body);
  expect(page).toContain('Malware was found in this file.');
  expect(page).toContain('<button>Download anyway</button>');
  expect(String((await fetchLink(link, 'POST')).body)).toBe(infected.data);
  expect(acme.files).toEqual([]);
  await expect
    .poll(async () => (await audited()).slice(-2))
    .toEqual([
      { person: anna.id, act: 'ask for a download', outcome: 'done' },
      { person: anna.id, act: 'download', outcome: 'done' },
    ]);
});

test('a link to an infected file needs an admin when it is used, too', async () => {
  const { anna, bo, arrive, set } = await setUpInboxApp(postgres, options());
  await arrive('carl@example.org', [infected]);
  await bo.clicks('Download bad.txt');
  await bo.sees(marked);
  await set({ admins: [bo.id] });
  await bo.clicks('Download anyway…');
  await bo.confirms('Get link');
  await bo.sees('I sent you the link in a direct message.');
  await bo.opens('Dropline');
  await bo.clicks('Open download page');
  const link = (await until(() => bo.opened[0], 'the page to be opened')) as string;
  await set({ admins: [] });
  const refused = await fetchLink(link, 'POST');
  expect(refused.status).toBe(502);
  expect(String(refused.body)).toContain('Only admins can do this.');
  expect(anna.opened).toEqual([]);
});

test('a browser never gets the end of an infected file', async () => {
  const { bo, arrive, linkTo, exchange, anna } = await setUpLinks(postgres, options());
  await arrive('carl@example.org', [infected, largeInfected, { ...largeInfected, name: 'chunked.bin' }]);
  const small = await fetchLink(await linkTo('bad.txt'), 'POST');
  expect(small.status).toBe(502);
  expect(String(small.body)).toContain(found);
  expect(String(small.body)).not.toContain(testMalware);
  await expect(fetchLink(await linkTo('large.bin'), 'POST')).rejects.toThrow();
  exchange.behaviour.downloadFraming = 'chunked';
  await expect(fetchLink(await linkTo('chunked.bin'), 'POST')).rejects.toThrow();
  await bo.opens('#inbox');
  await expect.poll(() => bo.screen().split(marked).length - 1).toBe(3);
  await anna.opens('#inbox');
  await anna.doesNotSee('Downloaded by');
});

test('a link from before the finding does not work after it', async () => {
  const { arrive, linkTo, anna } = await setUpLinks(postgres, options());
  await arrive('carl@example.org', [infected]);
  const link = await linkTo('bad.txt');
  await anna.opens('#inbox');
  await anna.clicks('Download bad.txt');
  await anna.sees('I sent you the link in a direct message.');
  await anna.opens('Dropline');
  await anna.clicks('Open download page');
  const other = (await until(() => anna.opened[0], 'the page to be opened')) as string;
  expect((await fetchLink(other, 'POST')).status).toBe(502);
  scanner.server.behaviour.answer = 'stream: OK\0';
  const refused = await fetchLink(link, 'POST');
  expect(refused.status).toBe(502);
  expect(String(refused.body)).toContain(found);
});

test('a clean file arrives complete by link, and only after the verdict', async () => {
  const { arrive, linkTo } = await setUpLinks(postgres, options());
  await arrive('carl@example.org', [
    { name: 'a.bin', data: large },
    { name: 'empty.txt', data: '' },
  ]);
  let isAsked = false;
  let release = () => {};
  scanner.server.behaviour.beforeVerdict = () =>
    new Promise((resolve) => {
      isAsked = true;
      release = resolve;
    });
  const link = await linkTo('a.bin');
  let isComplete = false;
  const downloading = fetchLink(link, 'POST').then((answer) => {
    isComplete = true;
    return answer;
  });
  await until(() => isAsked || undefined, 'the scan');
  expect(isComplete).toBe(false);
  release();
  expect(sha256((await downloading).body)).toBe(sha256(large));
  scanner.server.behaviour.beforeVerdict = undefined;
  expect((await fetchLink(await linkTo('empty.txt'), 'POST')).body).toHaveLength(0);
});

test('a browser that disconnects is not reported as a failed scan', async () => {
  const { arrive, linkTo, audited, logged } = await setUpLinks(postgres, options());
  await arrive('carl@example.org', [{ name: 'a.bin', data: large }]);
  let isAsked = false;
  scanner.server.behaviour.beforeVerdict = () => {
    isAsked = true;
    return new Promise(() => {});
  };
  const leaving = new AbortController();
  const link = await linkTo('a.bin');
  const downloading = fetch(link, { method: 'POST', signal: leaving.signal }).then((answer) => answer.arrayBuffer());
  await until(() => isAsked || undefined, 'the scan');
  leaving.abort();
  await expect(downloading).rejects.toThrow();
  await expect.poll(async () => (await audited()).at(-1)).toMatchObject({ act: 'download', outcome: 'failed' });
  expect(logged()).not.toContain('file not scanned');
});

test('a browser that waits for the verdict is not disconnected as too slow', async () => {
  const { arrive, linkTo } = await setUpLinks(postgres, { ...options(), timing: { stallMs: 200 } });
  await arrive('carl@example.org', [{ name: 'a.bin', data: large }]);
  // Several times longer than a browser can stop reading.
  scanner.server.behaviour.beforeVerdict = () => new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(sha256((await fetchLink(await linkTo('a.bin'), 'POST')).body)).toBe(sha256(large));
});

test('a file that was not scanned is blocked, or delivered with a note', async () => {
  const { bo, arrive, set, acme, audited } = await setUpInboxApp(postgres, options());
  await arrive('carl@example.org', ['a.txt', { name: 'large.bin', data: Buffer.alloc(6_000_000) }]);
  scanner.server.behaviour.mode = 'dies';
  await bo.clicks('Download a.txt');
  await bo.opens('Dropline');
  await bo.sees("“a.txt” couldn't be scanned for malware, so it was blocked. The connection to the scanner failed.");
  expect(acme.files).toEqual([]);
  await set(note);
  await bo.clicks('Download a.txt again');
  await bo.sees('“a.txt” from carl@example.org (not scanned for malware)');
  await bo.opens('#inbox');
  await bo.sees('⚠️ Downloaded without a malware scan. The connection to the scanner failed.');
  await bo.clicks('Download large.bin');
  await bo.sees('⚠️ Downloaded without a malware scan. The file is larger than the scanner accepts.');
  const outcomes = async () => (await audited()).flatMap(({ act, outcome }) => (act === 'download' ? [outcome] : []));
  await expect.poll(outcomes).toEqual(['not-scanned', 'done', 'done']);
});

test('with SCAN_REQUIRED, a file that was not scanned is not delivered', async () => {
  const scan = scanBy(scanner.server, { isRequired: true });
  const { bo, arrive, set, acme } = await setUpInboxApp(postgres, { ...scan, hasPublicUrl: true });
  await set(note);
  await arrive('carl@example.org', ['a.txt']);
  scanner.server.behaviour.mode = 'closes';
  await bo.clicks('Download a.txt');
  await bo.opens('Dropline');
  await bo.sees("“a.txt” couldn't be scanned for malware, so it was blocked.");
  expect(acme.files).toEqual([]);
});
