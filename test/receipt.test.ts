import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { type PublicKeys, type Receipt, readReceipt, receiptFile, signedTextOf } from '../src/lib/receipt.ts';

const bo = { id: 'U-bo', name: 'Bo' };
const receipt: Receipt = {
  format: 1,
  workspace: 'T1',
  account: 'https://files.example.com/acme',
  issuedAt: '2026-11-19T10:00:00.000Z',
  doesNotProve: 'That anyone downloaded or read the files.',
  entries: [
    {
      number: 6,
      hash: '5f'.repeat(32),
      action: 'send',
      outcome: 'sent',
      by: bo,
      at: '2026-11-19T09:00:00.000Z',
      from: 'https://files.example.com/acme',
      to: ['carl@example.org'],
      files: [{ name: 'plan “A”\n\u007f.pdf', size: 8, sha256: '9f'.repeat(32) }],
    },
  ],
};

function createSigner(id: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const signText = (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64');
  const keys: PublicKeys = [{ id, publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(), since: '' }];
  return { keys, fileOf: (value: object) => receiptFile(value, { key: id, signature: signText(signedTextOf(value)) }) };
}

const ours = createSigner('ours');
const file = ours.fileOf(receipt);
const problemOf = (text: string) => {
  const read = readReceipt(text, ours.keys);
  return 'problem' in read ? read.problem : undefined;
};

test('a receipt is valid as it was written, also with other line ends', () => {
  expect(readReceipt(file, ours.keys)).toEqual({ receipt, key: 'ours' });
  expect(problemOf(file.replaceAll('\n', '\r\n'))).toBeUndefined();
  expect(problemOf(file.trimEnd())).toBeUndefined();
});

const wrong = 'the signature is wrong: the receipt was changed, or someone else has signed it';
const changes: [what: string, change: (text: string) => string, problem: string][] = [
  ['the name of a file', (text) => text.replace('plan', 'plot'), wrong],
  ['the hash of a file', (text) => text.replace('9f9f', '9f9e'), wrong],
  ['a recipient', (text) => text.replace('carl@', 'dora@'), wrong],
  ['who sent it', (text) => text.replace('U-bo', 'U-cy'), wrong],
  ['the place in the chain', (text) => text.replace('"number": 6', '"number": 7'), wrong],
  ['the signature', (text) => text.replace(/"signature":"../, '"signature":"AA'), wrong],
  ['spaces', (text) => text.replace('"format": 1', '"format":  1'), 'the file was changed'],
  ['a repeated field', (text) => text.replace('"format": 1', '"format": 2,\n  "format": 1'), 'the file was changed'],
  ['text before it', (text) => text.replace('{"receipt"', '{"receipt":{},"receipt"'), 'the file was changed'],
  ['everything', () => 'plan.pdf', 'this is no receipt'],
];

test.each(changes)('a receipt is invalid after a change of %s', (_, change, problem) => {
  expect(change(file)).not.toBe(file);
  expect(problemOf(change(file))).toBe(problem);
});

test('a receipt signed with another key is invalid, even if it names ours', () => {
  expect(problemOf(createSigner('theirs').fileOf(receipt))).toBe(
    `it is signed with the key "theirs", which isn't known`,
  );
  expect(problemOf(createSigner('ours').fileOf(receipt))).toBe(wrong);
});

test('openssl and a few lines of shell check a receipt without Dropline', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dropline-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const script = `
    sed '1d;$d' receipt.json > signed
    tail -n 1 receipt.json | sed 's/.*"signature":"//; s/".*//' | base64 -d > signature
    openssl pkeyutl -verify -rawin -in signed -sigfile signature -pubin -inkey key.pem`;
  const check = async (text: string, keys: PublicKeys) => {
    await writeFile(join(folder, 'receipt.json'), text);
    await writeFile(join(folder, 'key.pem'), keys[0]?.publicKey ?? '');
    const run = promisify(execFile)('sh', ['-c', script], { cwd: folder });
    return run.then(
      ({ stdout }) => stdout.trim(),
      ({ code }: { code: number }) => code,
    );
  };
  expect(await check(file, ours.keys)).toBe('Signature Verified Successfully');
  for (const [what, change, problem] of changes.filter(([, , problem]) => problem === wrong))
    expect([what, problem, await check(change(file), ours.keys)]).toEqual([what, problem, 1]);
  expect(await check(file, createSigner('theirs').keys)).toBe(1);
});
