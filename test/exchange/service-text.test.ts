import { expect, test } from 'vitest';
import { createRedactor, readableText, shorten } from '../../src/exchange/service-text.ts';
import { bounds } from '../../src/lib/bounds.ts';

test('the redactor replaces longer secrets first and ignores an empty one', () => {
  const { redact, addToken } = createRedactor(['', 'key-1', 'key-1-and-more']);
  expect(redact('a key-1-and-more b key-1 c')).toBe('a [secret] b [secret] c');
  addToken('token');
  expect(redact('the token')).toBe('the [secret]');
});

test('the redactor keeps only the ten latest tokens, however many a service sends', () => {
  const { redact, addToken } = createRedactor([]);
  for (let number = 0; number <= 10; number += 1) addToken(`token-${100 + number}`);
  expect(redact('token-100 token-101 token-110')).toBe('token-100 [secret] [secret]');
});

test('the redactor also replaces a secret that is truncated at the end', () => {
  const secret = Array.from({ length: 900 }, (_, number) => number.toString(36)).join('-');
  const { redact } = createRedactor([secret]);
  for (let before = 0; before < 6_000; before += 97) {
    expect(redact(`${'.'.repeat(before)}${secret.repeat(9)}`)).toMatch(/^\.*(\[secret\])*[[secrt]*$/);
  }
});

test('the redactor truncates a long text before it searches for secrets', () => {
  const { redact, addToken } = createRedactor([]);
  addToken(`ab${'a'.repeat(4_094)}`);
  expect(redact('a'.repeat(100_000))).toHaveLength(bounds.serviceTextChars);
});

// An earlier version took 16 seconds.
test('a page of empty titles is parsed in linear time', { timeout: 5_000 }, () => {
  const titles = Array.from({ length: 55_000 }, (_, number) => `<title ${number}></title>`).join('');
  expect(readableText(titles)).toBe('');
});

test('text from the service becomes one line of at most 200 whole characters', () => {
  expect(shorten('a\r\n\tb\u0000c')).toBe('a b c');
  expect(Array.from(shorten('😀'.repeat(500)))).toHaveLength(200);
  expect(shorten('😀'.repeat(500)).isWellFormed()).toBe(true);
});

test('a page is reduced to its text, without scripts and styles', () => {
  const page =
    '<html><head><title>T</title><style>x{}</style></head><body><script>y()</script><h1>No entry</h1></body>';
  expect(readableText(page)).toBe('No entry');
  expect(readableText('<html><head><title>403</title></head><body></body></html>')).toBe('403');
  expect(readableText('plain')).toBe('plain');
});
