import { expect, test } from 'vitest';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { fetchLink, setUpLinks } from './download-link.ts';

const postgres = startTestPostgres();

const large = Buffer.alloc(3_000_000, 'a stretch of a large file; ');

test('a download link opens a page, and only its button downloads the file, once', async () => {
  const { bo, addItem, linkTo, acme, audited, logged, exchange } = await setUpLinks(postgres);
  await addItem('carl@example.org', [{ name: 'page.html', data: '<script>alert(1)</script>' }]);
  const link = await linkTo('page.html');
  const countDownloads = () => exchange.calls.filter(({ operation }) => operation === 'download').length;
  for (const method of ['GET', 'HEAD', 'GET'] as const) {
    const page = await fetchLink(link, method);
    expect(page.status).toBe(200);
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(page.headers['cache-control']).toBe('no-store');
    if (method === 'GET') expect(String(page.body)).toContain('<button>Download</button>');
  }
  expect(countDownloads()).toBe(0);
  const [one, other] = await Promise.all([fetchLink(link, 'POST'), fetchLink(link, 'POST')]);
  const [file, refused] = one.status === 200 ? [one, other] : [other, one];
  expect([file.status, refused.status]).toEqual([200, 404]);
  expect(countDownloads()).toBeLessThanOrEqual(2);
  expect(String(file.body)).toBe('<script>alert(1)</script>');
  expect(file.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="page.html"; filename*=UTF-8''page.html`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-length': '25',
  });
  expect((await fetchLink(link, 'GET')).status).toBe(404);
  await bo.opens('#inbox');
  await bo.sees('Downloaded by @Bo');
  expect(acme.files).toEqual([]);
  const entries = async () => (await audited()).filter(({ action }) => action === 'download');
  await expect.poll(entries).toEqual([{ person: bo.id, action: 'download', outcome: 'done' }]);
  expect(logged()).not.toContain(link.split('.').at(-1));
});

test('a download link that is forged, expired or of another workspace opens no page', async () => {
  const { addItem, linkTo, services, url, exchange, acme } = await setUpLinks(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  const link = await linkTo('plan.pdf');
  const token = link.split('.').at(-1);
  const invalidLinks = [
    `${url}/d/${acme.id}.${'A'.repeat(43)}`,
    `${url}/d/T0OTHER.${token}`,
    `${url}/d/${acme.id}`,
    `${url}/d/`,
    `${url}/d/${acme.id}.`,
    `${url}/d/${token}`,
    `${link}x`,
  ];
  for (const address of invalidLinks) {
    for (const method of ['GET', 'POST'] as const) expect((await fetchLink(address, method)).status, address).toBe(404);
  }
  // The database stores only a hash, which can't open the link.
  const { rows } = await services.store.pool.query<{ key: string }>(
    `select key from dropline.keyv where key like 'download-link%'`,
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token);
  await services.store.pool.query(`update dropline.keyv set expires_at = now() where key like 'download-link%'`);
  for (const method of ['GET', 'POST'] as const) expect((await fetchLink(link, method)).status).toBe(404);
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
});

test('a download by link completes or aborts; errors and lost permission are shown', async () => {
  const { bo, addItem, linkTo, exchange, changeSettings, anna, audited } = await setUpLinks(postgres);
  const names = ['whole length', 'cut length', 'whole chunked', 'cut chunked', 'endless', 'longer', 'late'];
  await addItem(
    'carl@example.org',
    names.map((name) => ({ name, data: large })),
  );
  for (const framing of ['length', 'chunked'] as const) {
    exchange.behaviour.downloadFraming = framing;
    const complete = await fetchLink(await linkTo(`whole ${framing}`), 'POST');
    expect(sha256(complete.body)).toBe(sha256(large));
    const link = await linkTo(`cut ${framing}`);
    exchange.addFault({ operation: 'download', kind: 'reset-during' });
    await expect(fetchLink(link, 'POST')).rejects.toThrow();
  }
  exchange.behaviour.downloadFraming = 'until-close';
  const endlessLink = await linkTo('endless');
  const endless = await fetchLink(endlessLink, 'POST');
  expect(endless.status).toBe(502);
  expect(String(endless.body)).toContain('tell whether it');
  expect(String(endless.body)).toContain('Your link still works.');
  exchange.behaviour.downloadFraming = 'length';
  expect(sha256((await fetchLink(endlessLink, 'POST')).body)).toBe(sha256(large));
  const longer = await linkTo('longer');
  const headers = { 'content-type': 'text/plain', 'content-length': '10' };
  exchange.addFault({ operation: 'download', kind: 'answer', answer: { headers, body: '0123456789 and more' } });
  expect(String((await fetchLink(longer, 'POST')).body)).toBe('0123456789');
  const link = await linkTo('late');
  await changeSettings({ downloaders: [anna.id] });
  const refused = await fetchLink(link, 'POST');
  expect(refused.status).toBe(403);
  expect(String(refused.body)).toContain('download files in this workspace.');
  expect((await audited()).at(-1)).toEqual({ person: bo.id, action: 'download', outcome: 'not-allowed' });
});
