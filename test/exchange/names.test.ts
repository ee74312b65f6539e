import { expect, test } from 'vitest';
import { bytesOf, failureOf, fileOf, setUp, user } from '../helpers/exchange.ts';

const names = [
  'with spaces.pdf',
  '"quoted".pdf',
  "it's.pdf",
  '100%.pdf',
  '%2e%2e',
  'a#b?c&d=e+f.pdf',
  'folder/file.pdf',
  '../../etc/passwd',
  'C:\\temp\\file.pdf',
  'two\nlines.pdf',
  'carriage\rreturn.pdf',
  ';filename="other.pdf"',
  '--dropline-boundary',
  'räksmörgås.pdf',
  'ra\u0308ksmo\u0308rga\u030as.pdf',
  '日本語ファイル.docx',
  '😀👩‍👩‍👧‍👦.png',
  'שלום עולם.pdf',
  '\u202efdp.exe',
  ' leading and trailing ',
  '-rf',
  'a',
  '...',
  `${'x'.repeat(251)}.pdf`,
  `${'å'.repeat(125)}.pdf`,
];

test.each(names)('a file named %j can be uploaded, listed and removed', async (name) => {
  const { exchange, account } = await setUp();
  await exchange.upload(fileOf(name, name));
  await exchange.upload(fileOf('other', ''));
  expect((await exchange.listFiles()).map((file) => file.name)).toEqual([name, 'other']);
  await exchange.removeFile(name);
  expect(account.uploads.map((file) => file.name)).toEqual(['other']);
});

test.each(names)('a file named %j can be downloaded from the inbox', async (name) => {
  const { exchange, server } = await setUp();
  const files = [
    { name, data: `right file: ${name}` },
    { name: 'passwd', data: 'wrong file' },
  ];
  const { url } = await server.addInboxItem(user, { sender: 'bo@example.org', files });
  expect((await exchange.readInbox()).items?.[0]?.files[0]?.name).toBe(name);
  const { stream } = await exchange.download({ url, name });
  expect((await bytesOf(stream)).toString()).toBe(`right file: ${name}`);
});

test('removing a file without a name is rejected', async () => {
  const { exchange, server } = await setUp();
  expect(await failureOf(exchange.removeFile(''))).toMatchObject({ code: 'invalid-input' });
  expect(server.calls).toEqual([]);
});

test.each(['', '.', '..', 'a\0b', '\udc00'])('a file named %j is rejected without a request', async (name) => {
  const { exchange, server } = await setUp();
  expect(await failureOf(exchange.upload(fileOf(name, 'x')))).toMatchObject({ code: 'invalid-input' });
  expect(await failureOf(exchange.download({ url: 'item', name }))).toMatchObject({ code: 'invalid-input' });
  expect(await failureOf(exchange.download({ url: name, name: 'x' }))).toMatchObject({ code: 'invalid-input' });
  expect(server.calls).toEqual([]);
});

test("the url of an inbox item can't lead to another path of the service", async () => {
  const { exchange, server } = await setUp();
  await server.addInboxItem(user, { sender: 'bo@example.org', files: [{ name: 'x', data: 'x' }] });
  for (const url of ['../other@example.com/item', 'cgi/get_files.cgi?', '/etc', 'http://127.0.0.1/']) {
    expect(await failureOf(exchange.download({ url, name: 'x' }))).toMatchObject({ code: 'not-found' });
  }
  expect(new Set(server.calls.map(({ operation }) => operation))).toEqual(new Set(['index', 'download']));
});
