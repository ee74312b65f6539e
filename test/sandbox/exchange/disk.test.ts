import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startExchangeServer } from '../../../src/sandbox/exchange/index.ts';
import { ada, apiKey, basic, boundary, type Exchange, loggedIn, multipart, user } from './helper.ts';

async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'exchange-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('identical uploads share a file on disk; removing a unique one deletes its file', async () => {
  const filesDir = await makeFolder();
  const exchange = await loggedIn({ filesDir });
  await exchange.upload('../a.txt', 'one');
  await exchange.upload('b.txt', 'one');
  await exchange.upload('c.txt', 'three');
  const stored = await readdir(filesDir);
  expect(stored).toHaveLength(2);
  for (const name of stored) expect(name).toMatch(/^[0-9a-f-]{36}$/);
  const digest = exchange.account.uploads[0]?.sha256 ?? '';
  expect((await exchange.server.readFile(digest)).toString()).toBe('one');

  await exchange.post('receivers_set', [ada]);
  await exchange.get('get_files');
  await exchange.get('remove_file', '?filename=c.txt');
  expect(await readdir(filesDir)).toHaveLength(1);
  await exchange.post('createdrop', { desttime: 1, ddmessage: '' });
  expect((await exchange.server.readFile(digest)).toString()).toBe('one');
});

test('a broken or refused upload leaves no file on disk', async () => {
  const filesDir = await makeFolder();
  const exchange = await loggedIn({ filesDir });
  await exchange.uploadBody(multipart(Buffer.alloc(500_000)).subarray(0, -10));
  expect(await readdir(filesDir)).toEqual([]);
  exchange.server.behaviour.diskBytes = 100_000;
  await exchange.upload('a', Buffer.alloc(500_000));
  expect(await readdir(filesDir)).toEqual([]);
});

test('a complete file in an incomplete request body is deleted', async () => {
  const filesDir = await makeFolder();
  const exchange = await loggedIn({ filesDir });
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ndata\r\n--${boundary}\r\n`;
  expect((await exchange.uploadBody(Buffer.from(file))).status).toBe(400);
  expect(await readdir(filesDir)).toEqual([]);

  await exchange.post('receivers_set', [ada]);
  await exchange.post('givedrop', { desttime: 1, ddmessage: '' });
  const url = exchange.account.uploadPages[0]?.url ?? '';
  const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  expect((await exchange.raw(url, 'POST', type, file)).status).toBe(400);
  expect(await readdir(filesDir)).toEqual([]);
});

/** Sends most of an upload and waits until the server has part of it on disk. */
async function startUpload(exchange: Exchange, filesDir: string): Promise<Socket> {
  const parts = async () => (await readdir(filesDir)).filter((name) => name.endsWith('.part')).length;
  const before = await parts();
  const socket = connect(Number(new URL(exchange.server.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  const body = multipart(Buffer.alloc(200_000));
  const head = [
    `POST /${user}/cgi/upload.cgi HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${basic(user, apiKey)}`,
    `CSRF-Token: ${exchange.token}`,
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    `Content-Length: ${body.length}`,
  ].join('\r\n');
  socket.write(`${head}\r\n\r\n`);
  socket.write(body.subarray(0, 150_000));
  await expect.poll(parts).toBe(before + 1);
  return socket;
}

test('if the client of an upload disconnects, no file is left on disk', async () => {
  const filesDir = await makeFolder();
  const exchange = await loggedIn({ filesDir });
  const socket = await startUpload(exchange, filesDir);
  socket.destroy();
  await expect.poll(() => exchange.server.calls.at(-1)).toMatchObject({ outcome: 'aborted', processed: false });
  expect(await readdir(filesDir)).toEqual([]);
  expect(exchange.account.uploads).toEqual([]);
});

test('if the connection of an upload is reset, no file is left on disk', async () => {
  const filesDir = await makeFolder();
  const exchange = await loggedIn({ filesDir });
  exchange.server.addFault({ operation: 'upload', kind: 'reset-during' });
  await expect(exchange.uploadBody(multipart(Buffer.alloc(1_000_000)))).rejects.toThrow();
  expect(await readdir(filesDir)).toEqual([]);
  expect(exchange.account.uploads).toEqual([]);
});

test('close() deletes complete, partial and delayed uploads, but no other files', async () => {
  const filesDir = await makeFolder();
  const exchange = await loggedIn({ filesDir });
  await exchange.upload('a', 'x');
  await exchange.server.addInboxItem(user, { sender: 'x@y', files: [{ name: 'n', data: 'd' }] });
  const fault = exchange.server.addFault({ operation: 'upload', kind: 'process-later' });
  await expect(exchange.upload('b', 'y')).rejects.toThrow();
  await fault.triggered;
  await writeFile(join(filesDir, 'unrelated'), '');
  await startUpload(exchange, filesDir);
  await exchange.server.close();
  expect(await readdir(filesDir)).toEqual(['unrelated']);
});

test('close() deletes the folder only if the server created it', async () => {
  const path = await makeFolder();
  const server = await startExchangeServer({ filesDir: join(path, 'deep', 'deeper') });
  expect(await readdir(path)).toEqual(['deep']);
  await server.close();
  expect(await readdir(path)).toEqual([]);
  await (await startExchangeServer({ filesDir: path })).close();
  expect(await readdir(path)).toEqual([]);
});
