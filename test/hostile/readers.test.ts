import { expect, test } from 'vitest';
import { isDroplineError } from '../../src/errors.ts';
import { ListScanner, ListSyntaxError } from '../../src/exchange/list-scanner.ts';
import { findToken, isToken } from '../../src/exchange/token-page.ts';
import { auditMetadata } from '../../src/features/audit/views.ts';
import { connectMetadata } from '../../src/features/connect/views.ts';
import { readPlace, writePlace } from '../../src/features/contacts/place.ts';
import { readTable } from '../../src/features/contacts/table.ts';
import { historyMetadata } from '../../src/features/history/views.ts';
import { inboxMetadata } from '../../src/features/inbox/views.ts';
import { fileValue } from '../../src/features/inbox/views-item.ts';
import { cardValue } from '../../src/features/send/card.ts';
import { confirmMetadata, sendMetadata } from '../../src/features/send/views.ts';
import { settingsMetadata } from '../../src/features/settings/forms.ts';
import { didYouMean, wordsOf } from '../../src/slack/command-text.ts';
import { filledIn } from '../../src/slack/form.ts';
import { turnedTo } from '../../src/slack/pages.ts';
import { joinRoutes } from '../../src/slack/routes.ts';
import { fc } from '../helpers/properties.ts';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
/** Names that every object has something under. */
const inherited = fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf');

test('words that are typed come out as they were, in whatever quotes and spaces, and as whatever link Slack makes of them', () => {
  const word = fc.stringMatching(/^[a-z0-9.+_-]{1,12}$/);
  const written = fc.oneof(
    word.map((text) => [text, text]),
    fc.tuple(word, word).map(([one, other]) => [`${one} ${other}`, `“${one} ${other}”`]),
    word.map((text) => [`${text}@example.org`, `<mailto:${text}@example.org|${text}@example.org>`]),
    fc.stringMatching(/^\d{5,12}$/).map((digits) => [`+${digits}`, `<tel:+${digits}|+${digits}>`]),
    word.map((text) => [`https://${text}.example/?a&b`, `<https://${text}.example/?a&amp;b>`]),
    word.map((text) => [`<!${text}>`, `&lt;!${text}&gt;`]),
  );
  const space = fc.constantFrom(' ', '  ', '\u00a0', '\t', '\n', '\u2003');
  fc.assert(
    fc.property(fc.array(fc.tuple(written, space), { maxLength: 6 }), (typed) => {
      const text = typed.map(([[, as], between]) => `${as}${between}`).join('');
      expect(wordsOf(text)).toEqual(typed.map(([[meant]]) => meant));
    }),
    { numRuns: 500 },
  );
});

test('any text is read as a command in no time, and what is meant is one of the words there are', () => {
  const commands = ['help', 'send', 'contacts', 'receivers'];
  fc.assert(
    fc.property(fc.oneof(anyText, inherited), (text) => {
      expect(wordsOf(text).join('').length).toBeLessThanOrEqual(text.length);
      expect([undefined, ...commands]).toContain(didYouMean(text, commands));
    }),
    { numRuns: 500 },
  );
  for (const part of ['<tel:', '<https:', '"', '<mailto:|', '&lt;', ' "']) {
    const started = performance.now();
    expect(wordsOf(part.repeat(50_000)).length).toBeLessThan(100_001);
    expect(performance.now() - started).toBeLessThan(2_000);
  }
});

test('a name that every object knows leads to no command, button or form', () => {
  const routes = joinRoutes([{ commands: {}, actions: {}, forms: {}, options: {}, shortcuts: {}, events: {} }]);
  fc.assert(
    fc.property(inherited, (name) => {
      for (const kind of Object.values(routes)) expect(kind[name]).toBeUndefined();
    }),
  );
});

const short = fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => text.isWellFormed());
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

type Pair = { write(value: never): string; read(text: string | undefined): unknown };
const place = { write: writePlace, read: readPlace };

/** Everything that a view or a button carries, with what it may hold. */
const carriers: [string, Pair, fc.Arbitrary<unknown>][] = [
  ['history', historyMetadata, fc.record({ search: short })],
  ['audit', auditMetadata, fc.record({ person: short, act: short }, { requiredKeys: [] })],
  ['connect', connectMetadata, fc.record({ next: short }, { requiredKeys: [] })],
  [
    'settings',
    settingsMetadata,
    fc.record({
      seen: fc.dictionary(fc.stringMatching(/^[a-z]{1,20}$/), short, { maxKeys: 5, noNullPrototype: true }),
    }),
  ],
  ['file', fileValue, fc.record({ item: short, file: short })],
  ['inbox', inboxMetadata, fc.record({ page: fc.nat(), item: short }, { requiredKeys: ['page'] })],
  [
    'card',
    cardValue,
    fc.record({ id: short, without: fc.array(fc.nat(), { maxLength: 9 }) }, { requiredKeys: ['id'] }),
  ],
  ['send', sendMetadata, fc.record({ files: fc.array(fc.string({ maxLength: 30 }), { maxLength: 50 }) })],
  ['confirm', confirmMetadata, fc.record({ confirmation: short })],
  ['place', place, fc.record({ query: short, page: fc.nat(), group: short }, { requiredKeys: ['query', 'page'] })],
];

test.each(carriers)('what a view carries comes back as it was: %s', (_, { write, read }, value) => {
  fc.assert(
    fc.property(value, (carried) => {
      const text = write(carried as never);
      expect(text.length).toBeLessThanOrEqual(3_000);
      expect(JSON.stringify(read(text))).toBe(JSON.stringify(carried));
    }),
    { numRuns: 100 },
  );
});

test.each(carriers)('anything else that a view carries is nothing, or what could have been written: %s', (_, pair) => {
  const { write, read } = pair;
  const forged = fc.oneof(
    anyText,
    fc.json(),
    fc
      .dictionary(fc.constantFrom('page', 'item', 'seen', 'id', 'files', 'query', '__proto__'), fc.jsonValue())
      .map((o) => JSON.stringify(o)),
    fc.constantFrom('{"__proto__":{"page":0}}', '{"seen":{"__proto__":"x"}}', '{"page":1e999}', '[', '{}', 'null'),
  );
  fc.assert(
    fc.property(maybe(forged), (text) => {
      const carried = read(text);
      if (carried !== undefined) expect(read(write(carried as never))).toEqual(carried);
    }),
    { numRuns: 300 },
  );
  expect(({} as { page?: unknown; seen?: unknown }).page).toBeUndefined();
});

test('a page that a button leads to is a number from 0, whatever its value', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.integer().map(String), fc.double().map(String)), (value) => {
      expect(turnedTo(value)).toBeGreaterThanOrEqual(0);
      expect(Number.isSafeInteger(turnedTo(value))).toBe(true);
    }),
  );
});

test('a form is read by the names of its fields, and a field that is not there is empty, whatever its name', () => {
  const fields = fc.dictionary(fc.oneof(fc.stringMatching(/^[a-z]{1,8}$/), inherited), anyText, {
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(fields, fc.oneof(inherited, fc.stringMatching(/^[A-Z]{1,8}$/)), (typed, other) => {
      const values = Object.fromEntries(
        Object.entries(typed).map(([name, value]) => [name, { [name]: { type: 'plain_text_input', value } }]),
      );
      const filled = filledIn({ values });
      for (const [name, value] of Object.entries(typed)) expect(filled.text(name)).toBe(value.trim());
      if (Object.hasOwn(typed, other)) return;
      expect(filled.text(other)).toBe('');
      expect([filled.choice(other), filled.channel(other)]).toEqual([undefined, undefined]);
      for (const read of [filled.choices, filled.channels, filled.people, filled.files])
        expect(read(other)).toEqual([]);
      expect(filled.labels(other).size).toBe(0);
    }),
    { numRuns: 300 },
  );
});

test('any file is read as a table of contacts or refused in words', () => {
  const cell = fc.oneof(fc.constantFrom('email', 'nick', '"', '""', "'", '=1', 'a@b.example'), inherited, anyText);
  const table = fc
    .array(fc.tuple(cell, fc.constantFrom(',', ';', '\t', '\n', '\r\n', '\r', '|')), { maxLength: 12 })
    .map((cells) => cells.map(([text, end]) => text + end).join(''));
  fc.assert(
    fc.property(table, fc.boolean(), (text, hasHeading) => {
      try {
        const { contacts, problems } = readTable(hasHeading ? `email,nick\n${text}` : text);
        expect(new Set(contacts.map(({ email }) => email.toLowerCase())).size).toBe(contacts.length);
        for (const { sentence } of problems) expect(sentence).not.toBe('');
      } catch (error) {
        if (!isDroplineError(error, 'invalid')) throw error;
        expect(error.field).toBe('file');
      }
    }),
    { numRuns: 500 },
  );
});

test('any bytes are an answer with lists, as JSON.parse has it, or refused', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
    fc
      .array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '"inbox"', '1', 'null', ' ', '\0'), {
        maxLength: 12,
      })
      .map((parts) => Buffer.from(parts.join(''))),
  );
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 9 }), (body, size) => {
      const texts: string[] = [];
      const scanner = new ListScanner(['inbox'], { element: (_, text) => texts.push(text) }, 1_000);
      try {
        for (let at = 0; at < body.length; at += size) scanner.push(body.subarray(at, at + size));
        scanner.end();
      } catch (error) {
        expect(error).toBeInstanceOf(ListSyntaxError);
        return;
      }
      expect(body.toString()).toContain('{');
      for (const text of texts) expect(body.includes(text)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('a token is found on its page, however that is written, and nothing else is taken for it', () => {
  const token = fc.stringMatching(/^[\x21-\x7e]{1,40}$/);
  const attribute = (name: string, value: string, quote: string) => {
    const encoded = value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;');
    return `${name}=${quote}${encoded}${quote}`;
  };
  const noise = fc.constantFrom(
    '',
    '<p>',
    '<!-- <input type=hidden name=csrftoken value=no> -->',
    '<script>"<input type=hidden name=csrftoken value=no>"</script>',
    '<input name="other" value="no">',
    '<title>csrftoken</title>',
    'a < b',
  );
  fc.assert(
    fc.property(
      token,
      noise,
      noise,
      fc.constantFrom('"', "'"),
      fc.boolean(),
      (value, before, after, quote, reversed) => {
        const attributes = [
          attribute('type', 'hidden', quote),
          attribute('name', 'csrftoken', quote),
          attribute('value', value, quote),
        ];
        const page = `${before}<input ${(reversed ? attributes.reverse() : attributes).join(' ')}>${after}`;
        expect(findToken(page)).toBe(value);
        expect(isToken(value)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test('any page has a token that stands on it, or none', () => {
  const piece = fc.oneof(
    anyText,
    fc.constantFrom(
      '<input ',
      'name=csrftoken ',
      'value="',
      '"',
      "'",
      '>',
      '<',
      '/',
      '<!--',
      '-->',
      '<script',
      '</script>',
      '&#0;',
      '&amp',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const page = pieces.join('');
      const found = findToken(page);
      if (found === undefined) return;
      expect(found).not.toBe('');
      expect(page).toMatch(/<input[\s\S]*csrftoken/i);
      if (isToken(found)) expect(found).not.toMatch(/[\s\p{Cc}]/u);
    }),
    { numRuns: 500 },
  );
});
