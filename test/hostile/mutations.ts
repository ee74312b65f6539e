import type { createRandom } from '../helpers/seeded.ts';

type Random = ReturnType<typeof createRandom>;

/** An answer as sent over the wire. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** The connection ends after this many bytes of the body, even if `content-length` is larger. */
  cutAt?: number;
}

const oddValues: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1e999',
  '123456789012345678901234567890',
  '""',
  '"error"',
  '"ok "',
  '"a\\u0000b"',
  '"\\ud800"',
  '"../../etc/passwd"',
  '{}',
  '[]',
  '[[],[null]]',
  '{"__proto__":{"status":"ok"}}',
  '{"constructor":{"name":"ok"}}',
  `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
  `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
];

/** Finds the positions of all values in a JSON text: members, including their keys, and array elements. */
function valuesIn(text: string): { from: number; to: number; key: string | undefined }[] {
  const found: { from: number; to: number; key: string | undefined }[] = [];
  const open: { from: number; key: string | undefined }[] = [];
  let key: string | undefined;
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[[\]{}]|[^\s[\]{},:"]+/g)) {
    if (/^".*:$/s.test(token)) {
      key = token;
    } else if (token === '{' || token === '[') {
      open.push({ from: index - (key?.length ?? 0), key });
      key = undefined;
    } else if (token === '}' || token === ']') {
      const opening = open.pop();
      if (opening !== undefined) found.push({ ...opening, to: index + 1 });
    } else {
      found.push({ from: index - (key?.length ?? 0), to: index + token.length, key });
      key = undefined;
    }
  }
  return found;
}

const replaceRange = (text: string, from: number, to: number, replacement: string) =>
  text.slice(0, from) + replacement + text.slice(to);

type Mutation = (sent: RawAnswer, random: Random) => RawAnswer;

const mutateText =
  (change: (text: string, random: Random) => string): Mutation =>
  (sent, random) => ({ ...sent, body: Buffer.from(change(sent.body.toString(), random)) });

const mutateBytes =
  (change: (body: Buffer, at: number, random: Random) => Buffer): Mutation =>
  (sent, random) => ({ ...sent, body: change(sent.body, random.below(sent.body.length + 1), random) });

const splice = (body: Buffer, at: number, insert: Buffer, deleteCount = 0) =>
  Buffer.concat([body.subarray(0, at), insert, body.subarray(at + deleteCount)]);

/** Changes one value of a JSON answer; other answers stay unchanged. */
const mutateValue = (
  change: (text: string, value: { from: number; to: number; key?: string }, random: Random) => string,
) =>
  mutateText((text, random) => {
    const values = valuesIn(text);
    if (!/^\s*[[{]/.test(text) || values.length === 0) return text;
    const { key, ...where } = random.pick(values);
    return change(text, { ...where, ...(key === undefined ? {} : { key }) }, random);
  });

const badUtf8 = ['ff', 'c3', 'c328', 'eda080', 'f8a1a1a1a1', 'c080'].map((hex) => Buffer.from(hex, 'hex'));

/** Answers of the wrong kind: `pages` instead of JSON, and `documents` instead of a page or a file. */
const pages = [
  '<!doctype html><html><head><title>Log in</title></head><body><form><input name=user></form></body></html>',
  '<html><body>{"status":"ok"}</body></html>',
  '<input type="hidden" name="csrftoken" value="an other one">',
  '<!-- {"status":"ok"} -->',
];
const documents = ['{"status":"ok"}', '{"status":"error"}', '[]', '{"local":[],"global":[]}', '"ok"', 'null', '7'];

export const mutations: Record<string, Mutation> = {
  'no change': (sent) => sent,
  'a missing field or element': mutateValue((text, { from, to }) =>
    replaceRange(text, from, to, '').replace(/,\s*,/, ','),
  ),
  'a duplicate field': mutateValue((text, { to, key }, random) =>
    key === undefined ? text : replaceRange(text, to, to, `,${key}${random.pick(oddValues)}`),
  ),
  'a duplicate element': mutateValue((text, { from, to }) => replaceRange(text, to, to, `,${text.slice(from, to)}`)),
  'a value of another type': mutateValue((text, { from, to, key = '' }, random) =>
    replaceRange(text, from, to, `${key}${random.pick(oddValues)}`),
  ),
  'another key': mutateValue((text, { from, key }, random) =>
    key === undefined
      ? text
      : replaceRange(text, from, from + key.length, `"${random.pick(['x', '__proto__', 'STATUS'])}":`),
  ),
  'another outer structure': mutateText((text, random) =>
    random.pick([`[${text}]`, `{"data":${text}}`, `${text}${text}`]),
  ),
  'a shorter body': mutateBytes((body, at) => body.subarray(0, at)),
  'a connection that ends early': (sent, random) => ({ ...sent, cutAt: random.below(sent.body.length) }),
  'a changed byte': mutateBytes((body, at, random) => splice(body, at, random.bytes(1), 1)),
  'missing bytes': mutateBytes((body, at, random) => splice(body, at, Buffer.alloc(0), random.below(20))),
  'inserted NUL bytes': mutateBytes((body, at, random) => splice(body, at, Buffer.alloc(1 + random.below(3)))),
  'inserted invalid UTF-8': mutateBytes((body, at, random) => splice(body, at, random.pick(badUtf8))),
  'an HTML page': (sent, random) => ({
    ...sent,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from(random.pick(pages)),
  }),
  'other JSON': (sent, random) => ({
    ...sent,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(random.pick(documents)),
  }),
  'another HTTP status': (sent, random) => ({
    ...sent,
    status: random.pick([201, 202, 204, 206, 226, 300, 302, 304, 400, 401, 403, 404, 409, 413, 429, 500, 503]),
  }),
  'a false content encoding': (sent, random) => ({
    ...sent,
    headers: { ...sent.headers, 'content-encoding': random.pick(['gzip', 'br', 'deflate', 'x']) },
  }),
};
