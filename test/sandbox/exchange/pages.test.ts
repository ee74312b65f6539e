import { crc32 } from 'node:zlib';
import { load } from 'cheerio';
import { FormData } from 'undici';
import { expect, test } from 'vitest';
import { ada, boundary, type Exchange, loggedIn, user } from './helper.ts';

const day = 24 * 60 * 60_000;
const hostile = `<img src=x onerror=alert(1)>"'&amp;</textarea><script>alert(2)</script>`;

async function createDownloadPage(exchange: Exchange, name = 'report.txt', message = 'Here you are.') {
  await exchange.prepare(name, 'the report');
  await exchange.post('createdrop', { desttime: 2, ddmessage: message });
  const page = exchange.account.drops[0]?.pages[0];
  if (!page) throw new Error('no page');
  return page;
}

async function createUploadPage(exchange: Exchange, message = 'Please send it.') {
  await exchange.post('receivers_set', [ada]);
  await exchange.post('givedrop', { desttime: 2, ddmessage: message });
  const page = exchange.account.uploadPages[0];
  if (!page) throw new Error('no page');
  return page;
}

function form(...files: [string, string][]): FormData {
  const form = new FormData();
  for (const [name, data] of files) form.append('file', new File([data], name, { type: 'text/plain' }));
  return form;
}

test('a receiver sees sender, message and files without a key', async () => {
  const exchange = await loggedIn();
  const { url } = await createDownloadPage(exchange);
  const answer = await exchange.raw(url);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.headers['referrer-policy']).toBe('no-referrer');
  const page = load(answer.text);
  expect(page('main').text()).toContain(user);
  expect(page('blockquote').text()).toBe('Here you are.');
  expect(page('li .name').text()).toBe('report.txt');
  expect(page('li .size').text()).toBe('10 B');
  expect(page('script, link, img, [src]')).toHaveLength(0);
  expect(page('html').attr('lang')).toBe('en');
});

test('a download is recorded only for the page it was made from', async () => {
  const exchange = await loggedIn();
  await exchange.prepare('räk.html', '<b>data</b>');
  await exchange.post('receivers_set', [ada, { email: 'c@d' }]);
  await exchange.post('createdrop', { desttime: 2, ddmessage: '' });
  const [first, second] = exchange.account.drops[0]?.pages ?? [];
  const link = load((await exchange.raw(first?.url ?? '')).text)('a').attr('href') ?? '';
  expect(first?.taken).toEqual([]);
  exchange.clock.now += 5000;
  const answer = await exchange.raw(new URL(link, first?.url).href);
  expect(answer.text).toBe('<b>data</b>');
  expect(answer.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': '11',
    'x-content-type-options': 'nosniff',
    'content-disposition': `attachment; filename="r_k.html"; filename*=UTF-8''r%C3%A4k.html`,
  });
  expect(first?.taken).toEqual([{ name: 'räk.html', at: exchange.clock.now }]);
  expect(second?.taken).toEqual([]);
});

test('a receiver downloads all files as one archive, which counts as downloading each', async () => {
  const exchange = await loggedIn();
  for (const [name, data] of [
    ['a/b.txt', 'first'],
    ['räk.txt', 'second'],
  ] as const)
    await exchange.prepare(name, data);
  await exchange.post('createdrop', { desttime: 2, ddmessage: '' });
  const page = exchange.account.drops[0]?.pages[0];
  const openedPage = load((await exchange.raw(page?.url ?? '')).text);
  expect(openedPage('main').text()).toContain('Download all 11 B in total');
  const link = openedPage('a:contains("Download all")').attr('href') ?? '';
  const response = await fetch(link);
  const archive = Buffer.from(await response.arrayBuffer());
  expect(Number(response.headers.get('content-length'))).toBe(archive.length);
  expect(entriesOf(archive)).toEqual([
    ['a_b.txt', 'first'],
    ['räk.txt', 'second'],
  ]);
  expect(page?.taken).toHaveLength(2);
});

/** Reads an uncompressed zip archive through its central directory, and verifies the checksums. */
function entriesOf(archive: Buffer): [string, string][] {
  const end = archive.subarray(-22);
  let at = end.readUInt32LE(16);
  return Array.from({ length: end.readUInt16LE(10) }, (): [string, string] => {
    const [checksum, size, nameLength, offset] = [
      archive.readUInt32LE(at + 16),
      archive.readUInt32LE(at + 24),
      archive.readUInt16LE(at + 28),
      archive.readUInt32LE(at + 42),
    ];
    const name = archive.subarray(at + 46, at + 46 + nameLength).toString();
    const data = archive.subarray(offset + 30 + nameLength, offset + 30 + nameLength + size);
    expect(crc32(data)).toBe(checksum);
    at += 46 + nameLength;
    return [name, data.toString()];
  });
}

test('a download page expires together with its files', async () => {
  const exchange = await loggedIn();
  const page = await createDownloadPage(exchange);
  exchange.clock.now += 2 * day - 1;
  expect((await exchange.raw(page.url)).status).toBe(200);
  exchange.clock.now += 1;
  const gone = await exchange.raw(page.url);
  expect(gone.status).toBe(410);
  expect(load(gone.text)('h1').text()).toBe('This page has expired');
  expect((await exchange.raw(`${page.url}/0`)).status).toBe(410);
  expect(page.taken).toEqual([]);
});

test('an unknown page address gets an HTML page with 404', async () => {
  const exchange = await loggedIn();
  const { url } = await createDownloadPage(exchange);
  for (const wrong of [`${url.slice(0, -1)}_`, `${url}/1`, `${url}/x`, `${url}/`, `${url}/0/0`]) {
    const answer = await exchange.raw(wrong);
    expect([answer.status, answer.headers['content-type']], wrong).toEqual([404, 'text/html; charset=utf-8']);
  }
  expect((await exchange.raw(url, 'POST', {}, 'x')).status).toBe(405);
});

test('hostile names and messages are escaped on the download page', async () => {
  const exchange = await loggedIn();
  const { url } = await createDownloadPage(exchange, `${hostile}\u202egpj.exe`, hostile);
  const text = (await exchange.raw(url)).text;
  const page = load(text);
  expect(page('img, script')).toHaveLength(0);
  expect(page('blockquote').text()).toBe(hostile);
  expect(page('li .name').text()).toBe(`${hostile}\ufffdgpj.exe`);
});

test('a drop that never expires has a page', async () => {
  const exchange = await loggedIn();
  await exchange.prepare();
  await exchange.post('createdrop', { desttime: 1e300, ddmessage: '' });
  const answer = await exchange.raw(exchange.account.drops[0]?.pages[0]?.url ?? '');
  expect(answer.status).toBe(200);
});

test('files from the upload form arrive as one inbox item', async () => {
  const exchange = await loggedIn();
  const { url } = await createUploadPage(exchange);
  const page = load((await exchange.raw(url)).text);
  expect(page('blockquote').text()).toBe('Please send it.');
  expect(page('main').text()).toMatch(/expires Mar 3, 2026 at 12:00\sAM UTC/);
  const target = page('form');
  expect([target.attr('method'), target.attr('enctype')]).toEqual(['post', 'multipart/form-data']);
  const input = page('input[type=file][multiple]').attr('name');
  expect(input).toBe('file');
  expect(page('script')).toHaveLength(0);

  exchange.clock.now += 1000;
  const answer = await exchange.raw(target.attr('action') ?? '', 'POST', {}, form(['a.txt', 'aaa'], ['a.txt', 'bbb']));
  expect(load(answer.text)('h1').text()).toBe('Thank you');
  expect(exchange.account.inbox).toMatchObject([
    {
      sender: ada.email,
      createdAt: exchange.clock.now,
      expiresAt: exchange.clock.now + 2 * day,
      ttl: 2,
      files: [{ name: 'a.txt', bytes: 3 }, { name: 'a_1.txt' }],
    },
  ]);
  const [item] = exchange.account.inbox;
  expect((await exchange.send('GET', `/${item?.url}/files/a_1.txt`)).text).toBe('bbb');
});

test('each submission is a separate inbox item', async () => {
  const exchange = await loggedIn();
  const { url } = await createUploadPage(exchange);
  await exchange.raw(url, 'POST', {}, form(['a', '1']));
  await exchange.raw(url, 'POST', {}, form(['a', '2']));
  expect(exchange.account.inbox).toHaveLength(2);
});

test('an upload page expires', async () => {
  const exchange = await loggedIn();
  const { url } = await createUploadPage(exchange);
  exchange.clock.now += 2 * day;
  expect((await exchange.raw(url)).status).toBe(410);
  expect((await exchange.raw(url, 'POST', {}, form(['a', '1']))).status).toBe(410);
  expect(exchange.account.inbox).toEqual([]);
});

test('an upload form without files, or with invalid contents, is refused', async () => {
  const exchange = await loggedIn({ behaviour: { diskBytes: 1000 } });
  const { url } = await createUploadPage(exchange);
  const other = new FormData();
  other.set('x', 'y');
  const emptyForm = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--${boundary}--\r\n`;
  const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  expect((await exchange.raw(url, 'POST', type, emptyForm)).text).toContain('Choose at least one file.');
  expect((await exchange.raw(url, 'POST', {}, other)).status).toBe(400);
  expect((await exchange.raw(url, 'POST', {}, form(['..', 'x']))).status).toBe(400);
  expect((await exchange.raw(url, 'POST', {}, form(['a', 'x'.repeat(600)], ['b', 'x'.repeat(600)]))).status).toBe(413);
  expect((await exchange.raw(url, 'POST', { 'content-type': 'text/plain' }, 'x')).status).toBe(415);
  expect((await exchange.raw(url, 'PUT', {}, 'x')).status).toBe(405);
  expect(exchange.account.inbox).toEqual([]);
});

test('an interrupted upload form delivers none of its files', async () => {
  const exchange = await loggedIn();
  const { url } = await createUploadPage(exchange);
  const part = (name: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\ndata\r\n`;
  const body = Buffer.from(`${part('a')}${part('b')}--${boundary}--\r\n`);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  for (let length = 0; length < body.length - 2; length += 5) {
    expect((await exchange.raw(url, 'POST', headers, body.subarray(0, length))).status, `${length}`).toBe(400);
  }
  expect(exchange.account.inbox).toEqual([]);
  expect((await exchange.raw(url, 'POST', headers, body)).status).toBe(200);
});

test('hostile texts are escaped on the upload page and its confirmation', async () => {
  const exchange = await loggedIn();
  const { url } = await createUploadPage(exchange, hostile);
  const page = load((await exchange.raw(url)).text);
  expect(page('blockquote').text()).toBe(hostile);
  const confirmation = load((await exchange.raw(url, 'POST', {}, form([hostile, 'x']))).text);
  expect(confirmation('li .name').text()).toBe(hostile);
  for (const shown of [page, confirmation]) expect(shown('img, script, textarea')).toHaveLength(0);
});
