import { expect, test } from 'vitest';
import { ListScanner, ListSyntaxError } from '../../src/exchange/list-scanner.ts';
import { fc, runs } from '../helpers/properties.ts';

interface Scanned {
  lists: Record<string, unknown[]>;
  values: Record<string, unknown>;
}

function scan(json: string | Buffer, wanted: string[], chunkSize = 7): Scanned {
  const scanned: Scanned = { lists: {}, values: {} };
  const scanner = new ListScanner(
    wanted,
    {
      element(list, text, index) {
        scanned.lists[list] ??= [];
        expect(index).toBe(scanned.lists[list].length);
        scanned.lists[list].push(JSON.parse(text));
      },
      value(key, text) {
        scanned.values[key] = JSON.parse(text);
      },
      wants: () => true,
    },
    { entryBytes: 1_000_000 },
  );
  const bytes = Buffer.from(json);
  for (let at = 0; at < bytes.length; at += chunkSize) scanner.push(bytes.subarray(at, at + chunkSize));
  scanner.end();
  for (const list of scanner.foundLists) scanned.lists[list] ??= [];
  return scanned;
}

test('the list scanner agrees with JSON.parse for any chunk size', () => {
  const entry = fc.jsonValue({ maxDepth: 4 });
  const answer = fc.record(
    { history: fc.array(entry), inbox: fc.array(entry), other: entry },
    { noNullPrototype: true },
  );
  const indent = fc.constantFrom(undefined, 1, '\t', '\r\n ');
  fc.assert(
    fc.property(answer, indent, fc.integer({ min: 1, max: 40 }), fc.boolean(), (value, space, chunkSize, reversed) => {
      const entries = Object.entries(value);
      const json = JSON.stringify(Object.fromEntries(reversed ? entries.reverse() : entries), null, space);
      expect(scan(json, ['inbox', 'history'], chunkSize).lists).toEqual(
        JSON.parse(JSON.stringify({ inbox: value.inbox, history: value.history })),
      );
    }),
    runs(300),
  );
});

test('the list scanner skips an unwanted list that contains the name of a wanted list', () => {
  const json = '{"history":[{"inbox":["no"]},"\\"inbox\\":[1]"],"inbox":["yes"],"live_drops":"3"}';
  expect(scan(json, ['inbox']).lists).toEqual({ inbox: ['yes'] });
});

test('the list scanner returns the values outside the wanted lists unchanged', () => {
  const json = '{"a":{"b":[1]},"inbox":[],"c":"3","d":[[]],"e":null}';
  expect(scan(json, ['inbox']).values).toEqual({ a: { b: [1] }, c: '3', d: [[]], e: null });
});

test("the list scanner's byte limit applies to each entry, not to the whole list", () => {
  const scanner = new ListScanner(['inbox'], { element: () => {} }, { entryBytes: 1000 });
  scanner.push(
    Buffer.from(
      `{"inbox":[${Array(50)
        .fill(`"${'x'.repeat(100)}"`)
        .join(',')}]}`,
    ),
  );
  scanner.end();
});

test('the list scanner finds a wanted key that is written with escapes', () => {
  expect(scan('{"in\\u0062ox":[1]}', ['inbox']).lists).toEqual({ inbox: [1] });
});

test('the list scanner returns the exact text of an element', () => {
  const texts: string[] = [];
  const scanner = new ListScanner(['local'], { element: (_, text) => texts.push(text) }, { entryBytes: 1000 });
  scanner.push(Buffer.from('{"local": [ {"number" : 46701234567890123456, "e":"\\u00e5"} , 1.0 ]}'));
  scanner.end();
  expect(texts).toEqual(['{"number" : 46701234567890123456, "e":"\\u00e5"}', '1.0']);
});

test('the list scanner skips a byte order mark, even one split across chunks', () => {
  const json = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"inbox":[1]}')]);
  expect(scan(json, ['inbox'], 1).lists).toEqual({ inbox: [1] });
});

test('the list scanner ignores a list that is null or an object', () => {
  expect(scan('{"inbox":null}', ['inbox']).lists).toEqual({});
  expect(scan('{"inbox":{"0":1}}', ['inbox']).lists).toEqual({});
});

test('the list scanner rejects an object that is truncated at any position', () => {
  const json = '{"history":[{"a":"b\\"c"}],"inbox":[{"d":[1,2]},"e"],"live_drops":"3"}';
  for (let length = 0; length < json.length; length += 1) {
    expect(() => scan(json.slice(0, length), ['inbox']), json.slice(0, length)).toThrow(ListSyntaxError);
  }
});

test.each([
  '[]',
  '"text"',
  '<html></html>',
  '{"inbox":[1]} extra',
  '{"inbox":[1],}',
  '{"inbox":[1],"inbox":[2]}',
  '{"inbox":[1],"inbox":null}',
  '{"inbox":{},"inbox":[1]}',
  '{"inbox" [1]}',
  '{"inbox":[1 2]}',
  '{inbox:[1]}',
])('the list scanner rejects the input %s', (json) => {
  expect(() => scan(json, ['inbox'])).toThrow(ListSyntaxError);
});

test('the list scanner rejects an oversized element before reading all of it', () => {
  const scanner = new ListScanner(['inbox'], { element: () => {} }, { entryBytes: 1000 });
  scanner.push(Buffer.from('{"inbox":["'));
  expect(() => {
    for (let i = 0; i < 100; i += 1) scanner.push(Buffer.alloc(100, 'x'));
  }).toThrow('an entry over 1000 bytes');
});

test('values that the list scanner skips can have any size and depth', () => {
  const scanner = new ListScanner(['inbox'], { element: () => {} }, { entryBytes: 1000 });
  scanner.push(Buffer.from('{"history":["'));
  for (let i = 0; i < 100; i += 1) scanner.push(Buffer.alloc(100, 'x'));
  scanner.push(Buffer.from(`",${'['.repeat(100_000)}${']'.repeat(100_000)}],"inbox":[]}`));
  scanner.end();
  expect([...scanner.foundLists]).toEqual(['inbox']);
});

test('the list scanner rejects text that is not UTF-8', () => {
  const latin1 = Buffer.from('{"inbox":["åäö"]}', 'latin1');
  for (const chunkSize of [1, 7, 1_000]) expect(() => scan(latin1, ['inbox'], chunkSize)).toThrow('not UTF-8');
});

test('a U+FFFD sent by the service is kept as text', () => {
  const json = '{"inbox":["a\ufffdb","\ufffd"],"x":"\ufffd"}';
  for (const chunkSize of [1, 7, 1_000]) {
    expect(scan(json, ['inbox'], chunkSize)).toEqual({
      lists: { inbox: ['a\ufffdb', '\ufffd'] },
      values: { x: '\ufffd' },
    });
  }
});

/** The elements of a list, scanned in chunks of `chunkSize` with texts cut at `textBytes`. */
function scanWithLimit(textBytes: number, json: string, chunkSize = 7): string[] {
  const texts: string[] = [];
  const scanner = new ListScanner(['inbox'], { element: (_, text) => texts.push(JSON.parse(text)) }, { textBytes });
  const bytes = Buffer.from(json);
  for (let at = 0; at < bytes.length; at += chunkSize) scanner.push(bytes.subarray(at, at + chunkSize));
  scanner.end();
  return texts;
}

test('a text that reaches the size limit is cut there and ends with a digest', () => {
  const [whole, cut] = scanWithLimit(12, JSON.stringify({ inbox: ['x'.repeat(11), 'x'.repeat(12)] }));
  expect(whole).toBe('x'.repeat(11));
  expect(cut).toMatch(/^x{12}… [\w-]{43}$/);
});

test("shortening doesn't depend on chunk size and splits no character or escape", () => {
  const piece = fc.constantFrom('x', 'å', '€', '😀', '\\', '"', '\n', '\u0001', '\\u00e5', ' ');
  const text = fc.array(piece, { minLength: 1, maxLength: 40 }).map((pieces) => pieces.join(''));
  const sizes = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }));
  fc.assert(
    fc.property(text, text, sizes, fc.integer({ min: 8, max: 60 }), (one, other, [size, anotherSize], limit) => {
      const json = JSON.stringify({ inbox: [one, { a: other, b: [one] }] });
      const cut = scanWithLimit(limit, json, size);
      expect(scanWithLimit(limit, json, anotherSize)).toEqual(cut);
      const start = String(cut[0]).split('… ')[0] ?? '';
      expect(one.startsWith(start) || start.endsWith('\ud83d')).toBe(true);
      expect(cut[1]).toEqual({ a: scanWithLimit(limit, JSON.stringify({ inbox: [other] }))[0], b: [cut[0]] });
    }),
    runs(500),
  );
});

test('texts that differ only in the removed characters stay different', () => {
  const long = 'x'.repeat(100);
  const cut = scanWithLimit(10, JSON.stringify({ inbox: [`${long}1`, `${long}2`, `${long}1`, `${long}11`] }));
  expect(new Set(cut).size).toBe(3);
  expect(cut[0]).toBe(cut[2]);
});

test('the list scanner returns a complete element even if it arrives byte by byte', () => {
  const text = JSON.stringify({ a: 'x'.repeat(5_000), b: ['å', '😀'] });
  expect(scanWithLimit(10_000, `{"inbox":[${text},${text}]}`, 1)).toEqual([JSON.parse(text), JSON.parse(text)]);
});
