import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { bounds } from '../../src/lib/bounds.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { serve } from '../helpers/serve.ts';
import type { ReaderOptions } from '../programs/history-reader.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

function* longHistory(count: number, messageBytes: number) {
  const message = Buffer.alloc(messageBytes, 'x');
  yield '{"inbox":[],"live_drops":"1","history":[';
  for (let number = 0; number < count; number += 1) {
    if (number > 0) yield ',';
    yield `{"create_time":"${number}","files":[{"name":"report.pdf"}],"receivers":[{"email":"a@example.org"}],`;
    yield '"ddmessage":"';
    yield message;
    yield `${number}"}`;
  }
  yield ']}';
}

/** Starts a service whose history has `count` entries, each with a file `report.pdf` and a message. */
function serveLongHistory(count: number, messageBytes: number): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    if (url.includes('get_history')) Readable.from(longHistory(count, messageBytes)).pipe(response);
    else if (url.includes('cgi')) response.end('{"local":[],"global":[]}');
    else response.end('<input type="hidden" name="csrftoken" value="T0k3nT0k3n">');
  });
  return serve(server);
}

async function readIn64Mb(options: ReaderOptions): Promise<unknown> {
  const program = programs.run('test/programs/history-reader.ts', [JSON.stringify(options)], {
    NODE_OPTIONS: '--max-old-space-size=64',
  });
  return JSON.parse(await program.nextLine());
}

test('a history with 20 messages of 8 MB is read with a heap of 64 MB', { timeout: 300_000 }, async () => {
  const { connection } = await postgres.createDatabase();
  const options: ReaderOptions = {
    connection,
    baseUrl: await serveLongHistory(20, 8 * 1024 ** 2 - 1_000),
    pages: [0, 2, 2],
    file: 'report.pdf',
  };
  expect(await readIn64Mb(options)).toEqual({
    shown: [
      [8, 20],
      [4, 20],
      [4, 20],
    ],
    related: 20,
    different: 20,
    total: 20,
  });
});

test('three pages of a history of 50,000 entries are read with a heap of 64 MB', { timeout: 300_000 }, async () => {
  const { connection } = await postgres.createDatabase();
  const options: ReaderOptions = {
    connection,
    baseUrl: await serveLongHistory(50_000, 1_000),
    // The first page, one in between, and the last one that people can open, all read at the same time.
    pages: [0, 500, bounds.historyPages],
    file: 'other.pdf',
  };
  expect(await readIn64Mb(options)).toEqual({
    shown: [
      [8, 50_000],
      [8, 50_000],
      [8, 50_000],
    ],
    related: 0,
    different: 0,
    total: 50_000,
  });
});
