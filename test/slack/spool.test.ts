import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { withSpooledFile } from '../../src/slack/spool.ts';
import { bytesOf, failureOf } from '../helpers/exchange.ts';
import { sha256 } from '../helpers/features.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dropline-spool-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const pieces = Array.from({ length: 40 }, (_, number) => Buffer.alloc(50_000, `piece ${number}; `));

test('a spooled file has a size, can be read repeatedly and has no name on disk', async () => {
  const folder = newFolder();
  const read = await withSpooledFile(
    Readable.from(pieces),
    async ({ size, open }) => {
      expect(size).toBe(2_000_000);
      expect(readdirSync(folder)).toEqual([]);
      expect(sha256(await bytesOf(open()))).toBe(sha256(Buffer.concat(pieces)));
      return bytesOf(open());
    },
    { folder },
  );
  expect(sha256(read)).toBe(sha256(Buffer.concat(pieces)));
});

test('a failing source, failing work or an oversized file leaves no file on disk', async () => {
  const folder = newFolder();
  const broken = Readable.from(
    (async function* () {
      yield pieces[0];
      throw new Error('the source broke');
    })(),
  );
  const never = async () => expect.unreachable('the work must not start');
  expect(await failureOf(withSpooledFile(broken, never, { folder }))).toMatchObject({ message: 'the source broke' });
  expect(await failureOf(withSpooledFile(Readable.from(pieces), never, { folder, maxBytes: 1_999_999 }))).toMatchObject(
    {
      code: 'file-failed',
    },
  );
  const failing = withSpooledFile(
    Readable.from(pieces),
    async ({ open }) => {
      const stream = open();
      stream.read();
      stream.destroy();
      throw new Error('the work failed');
    },
    { folder },
  );
  expect(await failureOf(failing)).toMatchObject({ message: 'the work failed' });
  expect(readdirSync(folder)).toEqual([]);
});
