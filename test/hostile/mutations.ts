import type { createRandom } from '../helpers/seeded.ts';

type Random = ReturnType<typeof createRandom>;

/** An answer as sent over the wire. */
export interface Sent {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** The connection ends after this many bytes of the body, whatever `content-length` says. */
  cutAt?: number;
}

const odd: readonly string[] = [
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

/** The positions of the values in a JSON text: members with their keys, and elements. */
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
      const begun = open.pop();
      if (begun !== undefined) found.push({ ...begun, to: index + 1 });
    } else {
      found.push({ from: index - (key?.length ?? 0), to: index + token.length, key });
      key = undefined;
    }
  }
  return found;
}

const put = (text: string, from: number, to: number, instead: string) => text.slice(0, from) + instead + text.slice(to);

type Mutation = (sent: Sent, random: Random) => Sent;

const ofText =
  (change: (text: string, random: Random) => string): Mutation =>
  (sent, random) => ({ ...sent, body: Buffer.from(change(sent.body.toString(), random)) });

const ofBytes =
  (change: (body: Buffer, at: number, random: Random) => Buffer): Mutation =>
  (sent, random) => ({ ...sent, body: change(sent.body, random.below(sent.body.length + 1), random) });

const splice = (body: Buffer, at: number, insert: Buffer, drop = 0) =>
  Buffer.concat([body.subarray(0, at), insert, body.subarray(at + drop)]);

/** Changes one value of a JSON answer; other answers stay unchanged. */
const ofValue = (change: (text: string, value: { from: number; to: number; key?: string }, random: Random) => string) =>
  ofText((text, random) => {
    const values = valuesIn(text);
    if (!/^\s*[[{]/.test(text) || values.length === 0) return text;
    const { key, ...where } = random.pick(values);
    return change(text, { ...where, ...(key === undefined ? {} : { key }) }, random);
  });

const badUtf8 = ['ff', 'c3', 'c328', 'eda080', 'f8a1a1a1a1', 'c080'].map((hex) => Buffer.from(hex, 'hex'));

/** Answers of the wrong kind: a page instead of JSON, and JSON instead of a page or a file. */
const pages = [
  '<!doctype html><html><head><title>Log in</title></head><body><form><input name=user></form></body></html>',
  '<html><body>{"status":"ok"}</body></html>',
  '<input type="hidden" name="csrftoken" value="an other one">',
  '<!-- {"status":"ok"} -->',
];
const documents = ['{"status":"ok"}', '{"status":"error"}', '[]', '{"local":[],"global":[]}', '"ok"', 'null', '7'];

export const mutations: Record<string, Mutation> = {
  'as it is': (sent) => sent,
  'a field or element is missing': ofValue((text, { from, to }) => put(text, from, to, '').replace(/,\s*,/, ',')),
  'a field is there twice': ofValue((text, { to, key }, random) =>
    key === undefined ? text : put(text, to, to, `,${key}${random.pick(odd)}`),
  ),
  'an element is there twice': ofValue((text, { from, to }) => put(text, to, to, `,${text.slice(from, to)}`)),
  'a value is of another type': ofValue((text, { from, to, key = '' }, random) =>
    put(text, from, to, `${key}${random.pick(odd)}`),
  ),
  'a key is another': ofValue((text, { from, key }, random) =>
    key === undefined ? text : put(text, from, from + key.length, `"${random.pick(['x', '__proto__', 'STATUS'])}":`),
  ),
  'all of it lies deeper': ofText((text, random) => random.pick([`[${text}]`, `{"data":${text}}`, `${text}${text}`])),
  'it ends early': ofBytes((body, at) => body.subarray(0, at)),
  'the connection ends early': (sent, random) => ({ ...sent, cutAt: random.below(sent.body.length) }),
  'a byte is another': ofBytes((body, at, random) => splice(body, at, random.bytes(1), 1)),
  'a stretch is missing': ofBytes((body, at, random) => splice(body, at, Buffer.alloc(0), random.below(20))),
  'NUL bytes are in it': ofBytes((body, at, random) => splice(body, at, Buffer.alloc(1 + random.below(3)))),
  'bytes are in it that are no UTF-8': ofBytes((body, at, random) => splice(body, at, random.pick(badUtf8))),
  'it is a page': (sent, random) => ({
    ...sent,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from(random.pick(pages)),
  }),
  'it is some other JSON': (sent, random) => ({
    ...sent,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(random.pick(documents)),
  }),
  'its status is another': (sent, random) => ({
    ...sent,
    status: random.pick([201, 202, 204, 206, 226, 300, 302, 304, 400, 401, 403, 404, 409, 413, 429, 500, 503]),
  }),
  'it says that it is compressed': (sent, random) => ({
    ...sent,
    headers: { ...sent.headers, 'content-encoding': random.pick(['gzip', 'br', 'deflate', 'x']) },
  }),
};
