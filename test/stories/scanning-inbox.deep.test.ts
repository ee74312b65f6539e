import { expect, test } from 'vitest';
import { signIn } from '../../src/sandbox/sign-in.ts';
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

test('a link to an infected file stops working if the person is no longer an admin', async () => {
  const { anna, bo, addItem, changeSettings } = await setUpInboxApp(postgres, options());
  await addItem('carl@example.org', [infected]);
  await bo.clicks('Download bad.txt');
  await bo.sees(markText);
  await changeSettings({ admins: [bo.id] });
  await bo.clicks('Download anyway…');
  await bo.confirms('Get link');
  await bo.sees('I sent you the link in a direct message.');
  await bo.opens('Dropline');
  await bo.clicks('Open download page');
  const link = await signInTo((await until(() => bo.opened[0], 'the page to be opened')) as string, bo);
  await changeSettings({ admins: [] });
  const refused = await fetchLink(link, 'POST');
  expect(refused.status).toBe(403);
  expect(String(refused.body)).toContain('Only admins can do this.');
  expect(anna.opened).toEqual([]);
});

test('a download link stops working once malware is found in its file', async () => {
  const { addItem, linkTo, anna } = await setUpLinks(postgres, options());
  await addItem('carl@example.org', [infected]);
  const link = await linkTo('bad.txt');
  expect((await fetchLink(await linkTo('bad.txt', anna), 'POST')).status).toBe(403);
  scanner.server.behaviour.answer = 'stream: OK\0';
  const refused = await fetchLink(link, 'POST');
  expect(refused.status).toBe(403);
  expect(String(refused.body)).toContain(refusalText);
});

test('a clean file arrives complete by link, and only after its scan', async () => {
  const { addItem, linkTo } = await setUpLinks(postgres, options());
  await addItem('carl@example.org', [
    { name: 'a.bin', data: largeData },
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
  expect(sha256((await downloading).body)).toBe(sha256(largeData));
  scanner.server.behaviour.beforeVerdict = undefined;
  expect((await fetchLink(await linkTo('empty.txt'), 'POST')).body).toHaveLength(0);
});

test('a browser that disconnects is not reported as a failed scan', async () => {
  const { bo, addItem, linkTo, audited, logged } = await setUpLinks(postgres, options());
  await addItem('carl@example.org', [{ name: 'a.bin', data: largeData }]);
  let isAsked = false;
  scanner.server.behaviour.beforeVerdict = () => {
    isAsked = true;
    return new Promise(() => {});
  };
  const leaving = new AbortController();
  const link = await linkTo('a.bin');
  const headers = { cookie: await signIn(link, bo) };
  const { signal } = leaving;
  const downloading = fetch(link, { method: 'POST', headers, signal }).then((answer) => answer.arrayBuffer());
  await until(() => isAsked || undefined, 'the scan');
  leaving.abort();
  await expect(downloading).rejects.toThrow();
  await expect.poll(async () => (await audited()).at(-1)).toMatchObject({ action: 'download', outcome: 'failed' });
  expect(logged()).not.toContain('file not scanned');
});

test("a browser that waits for a scan isn't disconnected as too slow", async () => {
  const { addItem, linkTo } = await setUpLinks(postgres, { ...options(), timing: { stallMs: 200 } });
  await addItem('carl@example.org', [{ name: 'a.bin', data: largeData }]);
  // The scan takes several times `stallMs`, after which the bot disconnects a browser that stops reading.
  scanner.server.behaviour.beforeVerdict = () => new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(sha256((await fetchLink(await linkTo('a.bin'), 'POST')).body)).toBe(sha256(largeData));
});

test("with SCAN_REQUIRED, a file that was not scanned isn't delivered", async () => {
  const scan = scanBy(scanner.server, { isRequired: true });
  const { bo, addItem, changeSettings, acme } = await setUpInboxApp(postgres, { ...scan, hasPublicUrl: true });
  await changeSettings(allowUnscanned);
  await addItem('carl@example.org', ['a.txt']);
  scanner.server.behaviour.mode = 'closes';
  await bo.clicks('Download a.txt');
  await bo.opens('Dropline');
  await bo.sees("“a.txt” couldn't be scanned for malware, so it was blocked.");
  expect(acme.files).toEqual([]);
});

test('a link download waits only for those of its person, and its link still works', async () => {
  const { anna, addItem, linkTo } = await setUpLinks(postgres, { ...options(), timing: { scanSlotMs: 50 } });
  await addItem('carl@example.org', ['a', 'b', 'c']);
  const links = [await linkTo('a'), await linkTo('b')];
  const last = await linkTo('c');
  const other = await linkTo('c', anna);
  const releases: (() => void)[] = [];
  scanner.server.behaviour.beforeVerdict = () => new Promise((resolve) => releases.push(resolve));
  const downloads = links.map((link) => fetchLink(link, 'POST'));
  await until(() => releases.length === 2 || undefined, 'two scans');
  const refused = await fetchLink(last, 'POST');
  expect(refused.status).toBe(503);
  expect(String(refused.body)).toContain('Your link still works.');
  scanner.server.behaviour.beforeVerdict = undefined;
  expect(String((await fetchLink(other, 'POST')).body)).toBe('bytes of c');
  for (const release of releases) release();
  for (const download of downloads) expect((await download).status).toBe(200);
  expect(String((await fetchLink(last, 'POST')).body)).toBe('bytes of c');
  expect((await fetchLink(last, 'POST')).status).toBe(404);
});
