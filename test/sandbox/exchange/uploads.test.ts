import { expect, test } from 'vitest';
import { type Exchange, loggedIn, multipart } from './helper.ts';

const names = async (exchange: Exchange) =>
  (JSON.parse((await exchange.get('get_files')).text) as { name: string }[]).map((file) => file.name);

test('an upload is listed with name, type and human-readable size', async () => {
  const exchange = await loggedIn();
  expect((await exchange.get('get_files')).text).toBe('[]');
  const answer = await exchange.upload('big.pdf', Buffer.alloc(1_400_000), 'application/pdf');
  expect(answer.text).toBe('{"status":"done"}');
  await exchange.upload('small', 'abc', '');
  expect(JSON.parse((await exchange.get('get_files')).text)).toEqual([
    { name: 'big.pdf', type: 'application/pdf', size: '1.4 MB' },
    { name: 'small', type: 'application/octet-stream', size: '3 B' },
  ]);
});

test('the answer to an upload is chunked', async () => {
  const exchange = await loggedIn();
  const { headers } = await exchange.upload('a', 'b');
  expect(headers['transfer-encoding']).toBe('chunked');
  expect(headers['content-length']).toBeUndefined();
});

test('a second upload with the same name replaces the first', async () => {
  const exchange = await loggedIn();
  await exchange.upload('a', 'one');
  const [first] = exchange.account.uploads;
  await exchange.upload('b', 'two');
  await exchange.upload('a', 'three');
  expect(await names(exchange)).toEqual(['a', 'b']);
  expect((await exchange.server.readFile(exchange.account.uploads[0]?.sha256 ?? '')).toString()).toBe('three');
  await expect(exchange.server.readFile(first?.sha256 ?? '')).rejects.toThrow('no file');
});

test('if the service renames files, spaces are replaced and duplicates get numbers', async () => {
  const exchange = await loggedIn({ behaviour: { uploadNames: 'changed' } });
  for (let count = 0; count < 3; count++) await exchange.upload('my report.tar.gz', String(count));
  await exchange.upload('.hidden', '');
  await exchange.upload('.hidden', '');
  expect(await names(exchange)).toEqual([
    'my_report.tar.gz',
    'my_report.tar_1.gz',
    'my_report.tar_2.gz',
    '.hidden',
    '.hidden_1',
  ]);
});

test.each([
  ['../../etc/passwd', '../../etc/passwd'],
  ['C:\\a\\b.txt', 'C:\\a\\b.txt'],
  ['say %22hi%22%0D%0A.txt', 'say "hi"\r\n.txt'],
  ['100%25 %2e%2E %0d.txt', '100%25 %2e%2E %0d.txt'],
  ['räksmörgås 🦐.txt', 'räksmörgås 🦐.txt'],
  [' ', ' '],
])('an upload with the file name %j is stored as %j', async (fileName, name) => {
  const exchange = await loggedIn();
  expect((await exchange.uploadBody(multipart('x', { fileName }))).status).toBe(200);
  expect(await names(exchange)).toEqual([name]);
});

test.each([
  ['', 'empty'],
  ['.', 'dot'],
  ['..', 'two dots'],
  ['a\0b', 'NUL'],
])('an upload named %j is refused', async (fileName) => {
  const exchange = await loggedIn();
  expect((await exchange.uploadBody(multipart('x', { fileName }))).status).toBe(400);
  expect(exchange.account.uploads).toEqual([]);
});

test('remove_file deletes a file by its exact name and refuses other requests', async () => {
  const exchange = await loggedIn();
  await exchange.upload('a b+c&d=é/ü.txt', 'x');
  await exchange.upload('keep', 'x');
  const encoded = encodeURIComponent('a b+c&d=é/ü.txt');
  expect((await exchange.get('remove_file', `?filename=${encoded}`)).text).toBe('{"status":"deldone"}');
  expect(await names(exchange)).toEqual(['keep']);
  expect((await exchange.get('remove_file', `?filename=${encoded}`)).status).toBe(404);
  for (const query of ['', '?', '?filename=', '?filename=%zz', '?filename=keep&filename=keep', '?name=keep']) {
    expect((await exchange.get('remove_file', query)).status, query).toBe(400);
  }
  expect(await names(exchange)).toEqual(['keep']);
});

test('deleting a file keeps another file with the same content', async () => {
  const exchange = await loggedIn();
  await exchange.upload('a', 'same');
  await exchange.upload('b', 'same');
  await exchange.get('remove_file', '?filename=a');
  expect((await exchange.server.readFile(exchange.account.uploads[0]?.sha256 ?? '')).toString()).toBe('same');
});

test('an upload to a full disk is refused until a file is deleted', async () => {
  const exchange = await loggedIn({ behaviour: { diskBytes: 1000 } });
  expect((await exchange.upload('a', Buffer.alloc(600))).status).toBe(200);
  expect((await exchange.upload('b', Buffer.alloc(401))).status).toBe(507);
  expect((await exchange.upload('b', Buffer.alloc(400))).status).toBe(200);
  expect(await names(exchange)).toEqual(['a', 'b']);
  await exchange.get('remove_file', '?filename=a');
  expect((await exchange.upload('c', Buffer.alloc(600))).status).toBe(200);
});

test('an upload much larger than the free space is refused while it is received', async () => {
  const exchange = await loggedIn({ behaviour: { diskBytes: 1000 } });
  expect((await exchange.upload('a', Buffer.alloc(20_000_000))).status).toBe(507);
  expect((await exchange.upload('a', 'x')).status).toBe(200);
});
