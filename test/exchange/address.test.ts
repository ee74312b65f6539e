import { expect, test } from 'vitest';
import { encodeSegment, parseAccount } from '../../src/exchange/address.ts';
import { fc } from '../helpers/properties.ts';

test.each([
  ['https://files.example.com', 'https://files.example.com/api@example.com'],
  ['https://files.example.com/', 'https://files.example.com/api@example.com'],
  ['https://files.example.com.', 'https://files.example.com/api@example.com'],
  ['HTTPS://Files.Example.COM:443//', 'https://files.example.com/api@example.com'],
  [' https://files.example.com/base/ ', 'https://files.example.com/base/api@example.com'],
])('the account id for %j is normalised, whatever the case of the user name', (baseUrl, id) => {
  expect(parseAccount(baseUrl, 'api@example.com').id).toBe(id);
  expect(parseAccount(baseUrl, ' API@Example.com ').id).toBe(id);
});

test('different accounts have different ids', () => {
  expect(parseAccount('https://h.example/base', 'x/y').id).not.toBe(parseAccount('https://h.example/base/x', 'y').id);
});

test("all variants of an account's URL have the same id", () => {
  const { id } = parseAccount('https://h.example/ex/a%2Fb', 'x/y@example.com');
  const variants = ['/e%78/a%2Fb', '//ex/a%2fb', '/%65%78//%61%2Fb//'].map((path) => `https://h.example${path}`);
  expect(variants.map((baseUrl) => parseAccount(baseUrl, 'X/y@example.com').id)).toEqual([id, id, id]);
});

test('different paths have different ids', () => {
  const paths = ['/ex/a/b', '/ex/a%2Fb', '/ex/a%252Fb', '/EX/a/b', '/ex/50%25'];
  expect(new Set(paths.map((path) => parseAccount(`https://h.example${path}`, 'x').id)).size).toBe(paths.length);
});

test('the path of an account ends with a slash and keeps the @', () => {
  const account = parseAccount('https://files.example.com/base', 'api+1@example.com');
  expect(account.origin).toBe('https://files.example.com');
  expect(account.path).toBe('/base/api%2B1@example.com/');
});

test.each([
  ['files.example.com', 'Enter a valid URL'],
  ['', 'Enter a valid URL'],
  ['ftp://files.example.com', 'https://'],
  ['https://user:pass@files.example.com', 'user name or password'],
  ['https://files.example.com/?x=1', 'can\'t contain "?"'],
  ['https://files.example.com/#x', 'can\'t contain "?"'],
  ['https://files.example.com/?', 'can\'t contain "?"'],
  ['https://files.example.com/50%', 'invalid "%"'],
])('the base URL %j is rejected with a reason', (baseUrl, reason) => {
  expect(() => parseAccount(baseUrl, 'api@example.com')).toThrow(reason);
});

test.each([
  ['a:b', 'colon'],
  ['a\nb', 'control'],
  ['', 'empty'],
  ['..', '".."'],
])('the user name %j is rejected with a reason', (user, reason) => {
  expect(() => parseAccount('https://files.example.com', user)).toThrow(reason);
});

test('any name becomes one path segment and decodes unchanged', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => !/^\.{1,2}$|\0/.test(value));
  fc.assert(
    fc.property(name, (value) => {
      const encoded = encodeSegment(value, 'file name');
      expect(encoded).not.toMatch(/[/\\?#\s"]/);
      expect(decodeURIComponent(encoded)).toBe(value);
      expect(new URL(`https://h/a/${encoded}/b`).pathname.split('/')).toHaveLength(4);
    }),
  );
});

test.each(['', '.', '..', 'a\0b', '\ud800'])('the path segment %j is rejected', (value) => {
  expect(() => encodeSegment(value, 'file name')).toThrow('file name');
});
