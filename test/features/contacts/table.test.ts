import { expect, test } from 'vitest';
import { readContact } from '../../../src/exchange/index.ts';
import { fromCsv, toCsv } from '../../../src/features/common/csv.ts';
import { diffOf, isEmpty } from '../../../src/features/contacts/edit/diff.ts';
import { readTable, writeTable } from '../../../src/features/contacts/import/table.ts';
import { parseContact } from '../../../src/features/contacts/list/fields.ts';
import { bounds } from '../../../src/lib/bounds.ts';
import { isDroplineError } from '../../../src/lib/errors.ts';
import { anyCodePoint, fc, runs } from '../../helpers/properties.ts';

const cell = fc.oneof(
  fc.string({ unit: anyCodePoint }).filter((text) => text.isWellFormed()),
  fc.stringMatching(/^[ '=+@;,"\t\r\n-]{0,6}\w{0,2}$/),
);

test('every contact table is read back as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { maxLength: 6 }), async (rows) => {
      const read = await fromCsv(toCsv([['one', 'two', 'three'], ...rows]), 100);
      expect(read.slice(1).map(({ cells }) => cells)).toEqual(rows);
    }),
    runs(1_000),
  );
});

/** Cells as seen by a spreadsheet that splits at this separator and honours quotes only at the start of a cell. */
function cellsOf(csv: string, separator: string): string[] {
  const cells: string[] = [];
  let rest = csv.replace(/^\uFEFF/, '');
  while (rest !== '') {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const body = quoted?.[1]?.replaceAll('""', '"') ?? '';
    const tail = /^[^\r\n]*?(?=[\r\n]|$)/.exec(rest.slice(quoted?.[0].length ?? 0))?.[0].split(separator, 1)[0] ?? '';
    cells.push(body + tail);
    rest = rest.slice((quoted?.[0].length ?? 0) + tail.length).replace(/^(\r\n|[\s\S])/, '');
  }
  return cells;
}

test.each([',', ';', '\t'])('no cell starts a formula when %j is the separator', (separator) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 4 }), (rows) => {
      for (const text of cellsOf(toCsv(rows), separator)) expect(text).not.toMatch(/^\s*[=+\-@|%＝＋－＠]/);
    }),
    runs(1_000),
  );
});

test('formulas are exported as text, and plain cells are unchanged', () => {
  expect(toCsv([['=1+1', 'a', '+46 1', "O'Hara", 'a;=1', 'x\n@y', 'a,b']])).toBe(
    `\uFEFF"'=1+1",a,"'+46 1","O'Hara","a;'=1","x\n'@y","a,b"\r\n`,
  );
});

test.each([
  ['commas', 'email,nick,groups\nanna@example.org,Anna,a|b\n'],
  ['semicolons', 'email;nick;groups\nanna@example.org;Anna;a|b\n'],
  ['tabs', 'email\tnick\tgroups\nanna@example.org\tAnna\ta|b\n'],
  ['a byte order mark and CRLF lines', '\uFEFFemail,nick,groups\r\nanna@example.org,Anna,a|b\r\n'],
  ['quotes', '"email","nick","groups"\n"anna@example.org","Anna","a|b"'],
  ['CR lines', 'email,nick,groups\ranna@example.org,Anna,a|b\r'],
  ['other headings and another order', ' Name ; group ; E-Mail Address\nAnna;a|b;anna@example.org'],
  ['empty lines and unknown columns', '\n\nemail;shoe size;nick;groups\n\nanna@example.org;43;Anna;a| b |a\n;;;\n'],
])('a contact table with %s is read', async (_, text) => {
  const contact = { email: 'anna@example.org', nick: 'Anna', groups: ['a', 'b'] };
  expect(await readTable(text)).toMatchObject({ contacts: [contact], problems: [] });
});

test('a quoted cell can contain separators and quotes', async () => {
  const { contacts } = await readTable('email,nick\n"anna@example.org","Anna ""A, B; C"""\n');
  expect(contacts).toEqual([{ email: 'anna@example.org', nick: 'Anna "A, B; C"' }]);
});

test('unknown and repeated columns are ignored and listed', async () => {
  const { contacts, ignoredColumns } = await readTable('email,Mobile,Phone,,constructor\na@x.org,46701,46702,x,y\n');
  expect(contacts).toEqual([{ email: 'a@x.org', number: '46701' }]);
  expect(ignoredColumns).toEqual(['Phone', 'constructor']);
});

test('an invalid row is reported with its line number, and the other rows are read', async () => {
  const text = 'email,number\nanna@example.org,12\nbo@example.org,46 70 123\n,46700\nBO@example.org,\n"x\ny@z",\n';
  const { contacts, problems } = await readTable(text);
  expect(contacts).toEqual([{ email: 'bo@example.org', number: '4670123' }]);
  expect(problems).toEqual([
    { line: 2, message: '“12”: Enter 5 to 20 digits, like 46701234567.' },
    { line: 4, message: 'Enter an email address.' },
    { line: 5, message: 'BO@example.org is duplicated.' },
    { line: 7, message: expect.any(String) },
  ]);
});

test.each([
  ['no heading', 'anna@example.org,Anna\n'],
  ['no content', ''],
  ['a quote that does not end', 'email\n"anna@example.org\n'],
  ['an image', '\u0089PNG\r\n\u001a\n\u0000\u0000"\u0000'],
])('a file with %s is refused as invalid', async (_, text) => {
  await expect(readTable(text)).rejects.toMatchObject({ code: 'invalid', field: 'file' });
});

test('a table of 5,000 rows is read, and a longer one is refused', async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@example.org\n`).join('');
  expect((await readTable(`email\n${rows(bounds.csvRows)}`)).contacts).toHaveLength(5_000);
  await expect(readTable(`email\n${rows(bounds.csvRows + 1)}`)).rejects.toThrow('more than 5000 rows');
});

/** 200 KB of rows with fewer cells than the heading; the parser creates an Error for each. */
const shortRows = `email,nick\n${'a\n'.repeat(100_000)}`;

test('reading a 200 KB table yields to the event loop more than 100 times', async () => {
  let turns = 0;
  let next: NodeJS.Immediate | undefined;
  const countTurn = () => {
    turns += 1;
    next = setImmediate(countTurn);
  };
  countTurn();
  expect(await readTable(`email${','.repeat(200_000)}\n`)).toMatchObject({ contacts: [], problems: [] });
  clearImmediate(next);
  expect(turns).toBeGreaterThan(100);
});

test('a table of 100,000 short rows is refused within 5 seconds', { timeout: 5_000 }, async () => {
  await expect(readTable(shortRows)).rejects.toThrow('more than 5000 rows');
});

const field = fc.oneof(
  fc.string({ unit: anyCodePoint, maxLength: 120 }),
  fc.constantFrom('=1', "'=1", '+46 70 123', 'a|b', ' x ', ''),
);
const storedContact = fc.record({
  email: fc.oneof(fc.constantFrom('a@x.org', 'A@x.org', 'b@x.org', 'no address'), fc.emailAddress()),
  number: fc.option(fc.oneof(fc.nat(), field), { nil: undefined }),
  language: fc.option(field, { nil: undefined }),
  groups: fc.option(fc.array(fc.oneof(field, fc.nat()), { maxLength: 3 }), { nil: undefined }),
  nick: fc.option(field, { nil: undefined }),
});

test('importing an export changes nothing, whatever the contacts contain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(storedContact, { maxLength: 6 }), async (people) => {
      const local = people.map((fields) => readContact(JSON.stringify(fields)));
      const { contacts } = await readTable(writeTable(local));
      const diff = diffOf({ local, global: [] }, { kind: 'import', contacts });
      expect(isEmpty(diff)).toBe(true);
      expect(diff.after).toEqual(local);
    }),
    runs(500),
  );
});

test('any input becomes a valid contact or is refused as invalid', () => {
  const typed = fc.record(
    {
      email: fc.oneof(
        fc.anything(),
        fc.emailAddress(),
        fc.string({ unit: anyCodePoint }).map((text) => `${text}@x.org`),
      ),
      number: fc.anything(),
      language: fc.oneof(fc.anything(), fc.string()),
      groups: fc.oneof(fc.anything(), fc.array(fc.anything())),
      nick: fc.oneof(fc.anything(), fc.string({ unit: anyCodePoint })),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(typed, (fields) => {
      try {
        const contact = parseContact(fields as Record<'email' | 'number' | 'language' | 'groups' | 'nick', unknown>);
        const texts = [contact.email, contact.number, contact.language, contact.nick, ...(contact.groups ?? [])];
        for (const text of texts) expect(text ?? '').not.toMatch(/[\p{Cc}\p{Cs}]/u);
        expect(readContact(JSON.stringify(contact))).toMatchObject({ email: contact.email });
        expect(contact).toEqual(parseContact(contact));
      } catch (error) {
        if (!isDroplineError(error, 'invalid')) throw error;
        expect(error.field).toMatch(/^(email|number|language|groups|nick)$/);
      }
    }),
    runs(1_000),
  );
});

test.each(['anna@example.org', 'Anna.B+c@sub.example.org', 'ü@exämple.org', "o'hara@x.io"])(
  '%s is a valid address',
  (email) => {
    expect(parseContact({ email: ` ${email} ` })).toEqual({ email });
  },
);

test.each([
  'anna',
  '@x.org',
  'a@b',
  'a@b.',
  'a b@x.org',
  'a@@x.org',
  '<a@x.org>',
  'a@x.org,b@x.org',
  'a\u0000b@x.org',
  '',
])('%j is not a valid address', (email) => {
  expect(() => parseContact({ email })).toThrow(expect.objectContaining({ field: 'email' }));
});

test.each(['email', 'nick', 'language', 'groups'])('a lone surrogate in the field %s is refused', (field) => {
  const loneSurrogate = 'a\ud800@x.org';
  const typed = { email: 'a@x.org', [field]: field === 'groups' ? [loneSurrogate] : loneSurrogate };
  expect(() => parseContact(typed)).toThrow(expect.objectContaining({ code: 'invalid', field }));
});

test.each([
  '+46 (0)70-123 45 67',
  '46 ( 0 ) 701234567',
  '+46(0)701234567',
  '+46-(0)70-123 45 67',
  '(+46) (0)70 123 45 67',
])('the (0) after the country code of %s is dropped', (number) => {
  expect(parseContact({ email: 'a@x.org', number }).number).toBe('46701234567');
});

test.each(['0701234567', '0046701234567', '(0)701234567', '+0 70 123 45'])(
  'the number %s is refused, because it has no country code',
  (number) => {
    const problem = { code: 'invalid', field: 'number', message: 'Start with the country code, like 46.' };
    expect(() => parseContact({ email: 'a@x.org', number })).toThrow(expect.objectContaining(problem));
  },
);
