import { expect, test } from 'vitest';
import { apiKey, basic, boundary, type Exchange, loggedIn, multipart, rawRequest, user } from './helper.ts';

const complete = multipart('some data\r\nof two lines');
const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (head: string) => `--${boundary}\r\n${head}\r\n\r\ndata\r\n`;
const named = 'Content-Disposition: form-data; name="file"; filename="a"';
const end = `--${boundary}--\r\n`;

/** Uploads over a raw socket. `framing` is the header for the body's length, and can be wrong for this body. */
function uploadRaw({ server, token }: Exchange, body: Buffer, framing: string) {
  const head = [
    `POST /${user}/cgi/upload.cgi HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${basic(user, apiKey)}`,
    `CSRF-Token: ${token}`,
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    framing,
    'Connection: close',
  ].join('\r\n');
  return rawRequest(server.url, Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]));
}

test('the unmodified multipart body of these tests is valid', async () => {
  const exchange = await loggedIn();
  expect((await exchange.uploadBody(complete)).status).toBe(200);
  expect((await exchange.uploadBody(complete.subarray(0, -2))).status).toBe(200);
  expect((await uploadRaw(exchange, complete, `Content-Length: ${complete.length}`)).text).toMatch(/^HTTP\/1.1 200/);
  expect(exchange.account.uploads).toHaveLength(1);
});

test('an upload is never stored if interrupted anywhere before its final boundary', async () => {
  const exchange = await loggedIn();
  for (let length = 0; length < complete.length - 2; length++) {
    const answer = await exchange.uploadBody(complete.subarray(0, length));
    expect(answer.status, `cut after ${length} bytes`).toBe(400);
  }
  expect(exchange.account.uploads).toEqual([]);
});

test('an upload shorter than its declared length is never stored', async () => {
  const exchange = await loggedIn();
  for (let length = 0; length < complete.length; length += 7) {
    await uploadRaw(exchange, complete.subarray(0, length), `Content-Length: ${complete.length}`);
  }
  // Complete as multipart, but one byte shorter than declared.
  await uploadRaw(exchange, complete, `Content-Length: ${complete.length + 1}`);
  expect(exchange.account.uploads).toEqual([]);
  // The server can notice the disconnect a little later than the client.
  const outcomes = () =>
    exchange.server.calls.filter((call) => call.operation === 'upload').map((call) => call.outcome);
  await expect.poll(() => outcomes().every((outcome) => outcome === 'aborted')).toBe(true);
});

test('an upload longer than its declared length is never stored', async () => {
  const exchange = await loggedIn();
  const { text } = await uploadRaw(exchange, complete, `Content-Length: ${complete.length - 20}`);
  expect(text).toMatch(/^HTTP\/1.1 400/);
  expect(exchange.account.uploads).toEqual([]);
});

test('a chunked upload without its last chunk is never stored', async () => {
  const exchange = await loggedIn();
  const chunked = Buffer.concat([Buffer.from(`${complete.length.toString(16)}\r\n`), complete, Buffer.from('\r\n')]);
  await uploadRaw(exchange, chunked, 'Transfer-Encoding: chunked');
  expect(exchange.account.uploads).toEqual([]);
  const ended = Buffer.concat([chunked, Buffer.from('0\r\n\r\n')]);
  expect((await uploadRaw(exchange, ended, 'Transfer-Encoding: chunked')).text).toMatch(/^HTTP\/1.1 200/);
  expect(exchange.account.uploads).toHaveLength(1);
});

test('an upload is parsed the same in chunks of any size', async () => {
  const exchange = await loggedIn();
  for (const size of [1, 2, 3, 5, 17]) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < complete.length; at += size) {
      const piece = complete.subarray(at, at + size);
      chunks.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
    }
    const body = Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
    expect((await uploadRaw(exchange, body, 'Transfer-Encoding: chunked')).text).toMatch(/^HTTP\/1.1 200/);
    const [stored] = exchange.account.uploads.splice(0);
    expect((await exchange.server.readFile(stored?.sha256 ?? '')).toString()).toBe('some data\r\nof two lines');
  }
});

test.each([
  ['text before the first boundary', `hello\r\n${field('do', 'upload')}${file(named)}${end}`],
  ['text after the last boundary', `${field('do', 'upload')}${file(named)}${end}hello`],
  ['two line breaks after the last boundary', `${field('do', 'upload')}${file(named)}${end}\r\n`],
  ['padding after a boundary', `${field('do', 'upload').replace('\r\n', ' \r\n')}${file(named)}${end}`],
  ['LF line breaks', `${field('do', 'upload')}${file(named)}${end}`.replaceAll('\r\n', '\n')],
  ['no "do"', `${file(named)}${end}`],
  ['a wrong "do"', `${field('do', 'download')}${file(named)}${end}`],
  ['"do" twice', `${field('do', 'upload')}${field('do', 'upload')}${file(named)}${end}`],
  ['no file', `${field('do', 'upload')}${end}`],
  ['two files', `${field('do', 'upload')}${file(named)}${file(named)}${end}`],
  ['a file as a plain field', `${field('do', 'upload')}${field('file', 'data')}${end}`],
  ['an unknown field', `${field('do', 'upload')}${field('x', 'y')}${file(named)}${end}`],
  ['only the final boundary', end],
  ['a part without headers', `${field('do', 'upload')}--${boundary}\r\n\r\ndata\r\n${end}`],
  ['a part without a content disposition', `${field('do', 'upload')}${file('Content-Type: text/plain')}${end}`],
  ['a duplicate header', `${field('do', 'upload')}${file(`${named}\r\n${named}`)}${end}`],
  ['a transfer-encoded part', `${field('do', 'upload')}${file(`${named}\r\nContent-Transfer-Encoding: base64`)}${end}`],
  ['a name in RFC 5987 style', `${field('do', 'upload')}${file(`${named}; filename*=UTF-8''b`)}${end}`],
  ['a part header of 20 kB', `${field('do', 'upload')}${file(`${named}\r\nX: ${'x'.repeat(20_000)}`)}${end}`],
  ['a field of 100 kB', `${field('do', 'u'.repeat(100_000))}${file(named)}${end}`],
])('an upload body with %s is refused', async (_, body) => {
  const exchange = await loggedIn();
  expect([400, 413]).toContain((await exchange.uploadBody(Buffer.from(body))).status);
  expect(exchange.account.uploads).toEqual([]);
});

test('a file name that is not UTF-8 is refused', async () => {
  const exchange = await loggedIn();
  const latin = Buffer.from(`${field('do', 'upload')}${file(named.replace('"a"', '"é"'))}${end}`, 'latin1');
  expect((await exchange.uploadBody(latin)).status).toBe(400);
});

test.each([
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/mixed; boundary=${boundary}`,
  `multipart/form-data; boundary="${'x'.repeat(71)}"`,
])('an upload with the content type %s is refused', async (type) => {
  const exchange = await loggedIn();
  expect([400, 415]).toContain((await exchange.uploadBody(complete, { 'content-type': type })).status);
});

test('a connection stays usable after an upload that is refused early', async () => {
  const { server, token } = await loggedIn();
  const common = `Host: x\r\nAuthorization: ${basic(user, apiKey)}\r\nCSRF-Token: ${token}\r\n`;
  const type = `Content-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: 1000000`;
  const refusedUpload = `POST /${user}/cgi/upload.cgi HTTP/1.1\r\n${common}${type}\r\n\r\n${'x'.repeat(1_000_000)}`;
  const validRequest = `GET /${user}/cgi/get_files.cgi HTTP/1.1\r\n${common}Connection: close\r\n\r\n`;
  const { text } = await rawRequest(server.url, Buffer.from(refusedUpload + validRequest));
  expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200']);
});

test('the fields of an upload can be in any order, and the boundary in quotes', async () => {
  const exchange = await loggedIn();
  const body = Buffer.from(`${file(named)}${field('do', 'upload')}${end}`);
  const answer = await exchange.uploadBody(body, { 'content-type': `multipart/form-data; boundary="${boundary}"` });
  expect(answer.status).toBe(200);
});
