import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { pollStateOf } from '../../helpers/desks.ts';
import { answerHistory, item, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

const invalidUrls = [
  undefined,
  null,
  '',
  // The folder itself, and the folder above.
  '.',
  '..',
  'a\0b',
  // A lone surrogate.
  'a\ud800b',
  // Too long for any index.
  randomBytes(6_000).toString('hex'),
];

test('an item with an invalid url is skipped, and no other item is missed', async () => {
  const setup = await setUpInbox(postgres);
  const announcements = async () => (await setup.pollAndAnnounce()).filter(({ kind }) => kind !== 'changed');
  const [before, after, later] = ['before', 'after', 'later'].map((url) => item(url));
  const invalid = invalidUrls.map((url) => item(url));
  answerHistory(setup, [before, ...invalid, after]);
  expect(urlsOf(await announcements())).toEqual(['before', 'after']);
  answerHistory(setup, [...invalid, before, later, after]);
  expect(urlsOf(await announcements())).toEqual(['later']);
  expect(await pollStateOf(setup.store, 'T1')).toMatchObject({ lastFailure: undefined });
});

test('an item with unusual fields is announced like any other', async () => {
  const setup = await setUpInbox(postgres);
  const long = 'x'.repeat(200_000);
  const odd = [
    item('no-files', { files: [] }),
    item('null-files', { files: null }),
    item('nameless', { files: [{ settings: '[]' }, { name: null }, { name: 'named.pdf' }] }),
    item('no-sender', { sender: undefined }),
    item('null-sender', { sender: null, createtime: 'soon', ttl: null }),
    item('long', { sender: long, files: [{ name: long }] }),
    item('binary', { sender: 'a\0b\ud800', files: [{ name: '../\0\u202e\ud800.exe' }] }),
    item('a/b?c#d%2e', {}),
    item(4711, { extra: { deep: [1] } }),
  ];
  answerHistory(setup, odd);
  const posts = await setup.pollAndAnnounce();
  expect(urlsOf(posts).sort()).toEqual(
    ['no-files', 'null-files', 'nameless', 'no-sender', 'null-sender', 'long', 'binary', 'a/b?c#d%2e', '4711'].sort(),
  );
  const itemOf = (url: string) => posts.flatMap(({ items }) => items).find((other) => other.url === url);
  expect(itemOf('nameless')).toMatchObject({ files: ['named.pdf'] });
  expect(itemOf('no-sender')).toMatchObject({ url: 'no-sender' });
  expect(itemOf('no-sender')?.sender).toBeUndefined();
  const cut = expect.stringMatching(/^x{65536}… [\w-]{43}$/);
  expect(itemOf('long')).toMatchObject({ sender: cut, files: [cut] });
  expect(itemOf('binary')).toMatchObject({ sender: 'a\0b\ud800', files: ['../\0\u202e\ud800.exe'] });
});

test('two entries with the same url become one item with the files of both', async () => {
  const setup = await setUpInbox(postgres);
  const duplicates = [item('same', { files: [{ name: 'a.pdf' }] }), item('same', { files: [{ name: 'b.pdf' }] })];
  answerHistory(setup, duplicates);
  expect(await setup.pollAndAnnounce()).toMatchObject([
    { kind: 'item', items: [{ url: 'same', files: ['a.pdf', 'b.pdf'] }] },
  ]);
  answerHistory(setup, [...duplicates, item('other')]);
  expect(urlsOf(await setup.pollAndAnnounce())).toEqual(['other']);
});
