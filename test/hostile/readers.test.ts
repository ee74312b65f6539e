import { expect, test } from 'vitest';
import { ListScanner, ListSyntaxError } from '../../src/exchange/list-scanner.ts';
import { findToken, isToken } from '../../src/exchange/token-page.ts';
import { readTable } from '../../src/features/contacts/import/table.ts';
import { isDroplineError } from '../../src/lib/errors.ts';
import { anyText, fc, inherited, runs } from '../helpers/properties.ts';

test('any contact table is read or refused as invalid', async () => {
  const cell = fc.oneof(fc.constantFrom('email', 'nick', '"', '""', "'", '=1', 'a@b.example'), inherited, anyText);
  const table = fc
    .array(fc.tuple(cell, fc.constantFrom(',', ';', '\t', '\n', '\r\n', '\r', '|')), { maxLength: 12 })
    .map((cells) => cells.map(([text, end]) => text + end).join(''));
  await fc.assert(
    fc.asyncProperty(table, fc.boolean(), async (text, hasHeading) => {
      try {
        const { contacts, problems } = await readTable(hasHeading ? `email,nick\n${text}` : text);
        expect(new Set(contacts.map(({ email }) => email.toLowerCase())).size).toBe(contacts.length);
        for (const { message } of problems) expect(message).not.toBe('');
      } catch (error) {
        if (!isDroplineError(error, 'invalid')) throw error;
        expect(error.field).toBe('file');
      }
    }),
    runs(500),
  );
});

test('the list scanner reads any bytes or refuses them', () => {
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
      const scanner = new ListScanner(['inbox'], { element: (_, text) => texts.push(text) }, { entryBytes: 1_000 });
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
    runs(1_000),
  );
});

test('findToken finds the token in any valid markup and ignores similar text', () => {
  const token = fc.stringMatching(/^[\x21-\x7e]{1,40}$/);
  const attribute = (name: string, value: string, quote: string) => {
    const encoded = value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;');
    return `${name}=${quote}${encoded}${quote}`;
  };
  const otherMarkup = fc.constantFrom(
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
      otherMarkup,
      otherMarkup,
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
    runs(300),
  );
});

test('findToken finds a token only in a page that has an input and the word csrftoken', () => {
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
    runs(500),
  );
});
