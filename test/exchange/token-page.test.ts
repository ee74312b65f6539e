import { expect, test } from 'vitest';
import { findToken, isToken } from '../../src/exchange/token-page.ts';

const page = (body: string) => `<!doctype html><html><head><title>Exchange</title></head><body>${body}</body></html>`;

test.each([
  ['the documented form', '<form><input type="hidden" name="csrftoken" value="T0k3n"></form>'],
  ['attributes in another order', '<input value="T0k3n" id="x" name="csrftoken" type="hidden">'],
  ['single quotes', "<input type='hidden' name='csrftoken' value='T0k3n'>"],
  ['no quotes', '<input type=hidden name=csrftoken value=T0k3n>'],
  ['upper case', '<INPUT TYPE="HIDDEN" NAME="csrftoken" VALUE="T0k3n">'],
  ['a name in upper case', '<input type="hidden" name="CSRFTOKEN" value="T0k3n">'],
  ['line breaks between attributes', '<input\n  type="hidden"\n  name="csrftoken"\n  value="T0k3n"\n/>'],
  ['spaces around the equals signs', '<input type = "hidden" name = "csrftoken" value = "T0k3n">'],
  ['white space around the value', '<input type="hidden" name="csrftoken" value=" T0k3n ">'],
  ['several forms with the same token', '<form><input type=hidden name=csrftoken value=T0k3n></form>'.repeat(3)],
  [
    'other inputs first',
    '<input name="csrf" value="no"><input name="csrftoken2" value="no"><input type=hidden name=csrftoken value=T0k3n>',
  ],
  [
    'a decoy in a comment',
    '<!-- <input type=hidden name=csrftoken value=old> --><input type=hidden name=csrftoken value=T0k3n>',
  ],
  [
    'a decoy in a script',
    '<script>var s = "<input type=hidden name=csrftoken value=old>";</script><input type=hidden name=csrftoken value=T0k3n>',
  ],
  [
    'a decoy in a style',
    '<style>/* <input type=hidden name=csrftoken value=old> */</style><input type=hidden name=csrftoken value=T0k3n>',
  ],
  [
    'a decoy in a text area',
    '<textarea><input type=hidden name=csrftoken value=old></textarea><input type=hidden name=csrftoken value=T0k3n>',
  ],
  [
    'a decoy in an attribute',
    '<p title="<input type=hidden name=csrftoken value=old>"></p><input type=hidden name=csrftoken value=T0k3n>',
  ],
  [
    'an empty token field first',
    '<input type=hidden name=csrftoken value=""><input type=hidden name=csrftoken value=T0k3n>',
  ],
  [
    'a visible field of that name first',
    '<input type=text name=csrftoken value=typed><input type=hidden name=csrftoken value=T0k3n>',
  ],
  ['a page that is not closed', '<form><table><tr><td><input type=hidden name=csrftoken value=T0k3n>'],
])('findToken finds the token with %s', (_, html) => {
  expect(findToken(page(html))).toBe('T0k3n');
});

test('findToken decodes entities in the token', () => {
  expect(findToken(page('<input type="hidden" name="csrftoken" value="a&amp;b&#x2B;c&quot;d&#47;e">'))).toBe(
    'a&b+c"d/e',
  );
});

test('findToken finds the token at the end of a page of 500 KB', () => {
  const filler = '<div class="row"><a href="/x?csrftoken=no">csrftoken</a></div>'.repeat(8200);
  expect(filler.length).toBeGreaterThan(500_000);
  expect(findToken(page(`${filler}<input type=hidden name=csrftoken value=T0k3n>`))).toBe('T0k3n');
});

test('findToken checks 100 inputs that mention the token, and any number of others', () => {
  const token = '<input type=hidden name=csrftoken value=T0k3n>';
  expect(findToken(page(`${'<input name=row>'.repeat(1_000)}${token}`))).toBe('T0k3n');
  const similar = '<input name=old-csrftoken>';
  expect(findToken(page(`${similar.repeat(99)}${token}`))).toBe('T0k3n');
  expect(findToken(page(`${similar.repeat(100)}${token}`))).toBeUndefined();
});

test.each([
  ['an empty page', ''],
  ['a page without a token field', page('<h1>Log in</h1><form><input name=user><input name=password></form>')],
  ['a page with a token field in a comment', page('<!-- <input type=hidden name=csrftoken value=old> -->')],
  ['a page with an empty token field', page('<input type=hidden name=csrftoken>')],
  ['JSON', '{"csrftoken":"T0k3n"}'],
])('findToken finds no token in %s', (_, html) => {
  expect(findToken(html)).toBeUndefined();
});

test.each(['', 'with space', 'line\r\nX-Evil: 1', 'naïve', 'x'.repeat(4097)])('%j is not a valid token', (value) => {
  expect(isToken(value)).toBe(false);
});
