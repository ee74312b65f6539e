import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { pollState } from '../../../src/features/inbox/poll/repository.ts';
import { item, say, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

const unusable: [string, unknown][] = [
  ['none', undefined],
  ['null', null],
  ['an empty one', ''],
  ['the folder itself', '.'],
  ['the folder above', '..'],
  ['a null character', 'a\0b'],
  ['half a character', 'a\ud800b'],
  ['one too long for any index', randomBytes(6_000).toString('hex')],
];

test('an item with an unusable address is skipped, and no other is missed', async () => {
  const setup = await setUpInbox(postgres);
  const news = async () => (await setup.news()).filter(({ kind }) => kind !== 'changed');
  for (const [what, url] of unusable) {
    const [before, after, later] = ['before', 'after', 'later'].map((word) => item(`${word} ${what}`));
    say(setup, [before, item(url), after]);
    expect(urlsOf(await news()), what).toEqual([before?.url, after?.url]);
    say(setup, [item(url), before, later, after]);
    expect(urlsOf(await news()), what).toEqual([later?.url]);
    expect(await pollState(setup.store.pool, 'T1')).toMatchObject({ lastFailure: undefined });
  }
});

test('an item with odd contents is announced like any other', async () => {
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
  say(setup, odd);
  const posts = await setup.news();
  expect(urlsOf(posts).sort()).toEqual(
    ['no-files', 'null-files', 'nameless', 'no-sender', 'null-sender', 'long', 'binary', 'a/b?c#d%2e', '4711'].sort(),
  );
  const found = (url: string) => posts.flatMap(({ items }) => items).find((other) => other.url === url);
  expect(found('nameless')).toMatchObject({ files: ['named.pdf'] });
  expect(found('no-sender')).toMatchObject({ sender: undefined });
  const cut = expect.stringMatching(/^x{65536}… [\w-]{43}$/);
  expect(found('long')).toMatchObject({ sender: cut, files: [cut] });
  expect(found('binary')).toMatchObject({ sender: 'a\0b\ud800', files: ['../\0\u202e\ud800.exe'] });
});

test('two entries with one address become one item with the files of both', async () => {
  const setup = await setUpInbox(postgres);
  const twins = [item('same', { files: [{ name: 'a.pdf' }] }), item('same', { files: [{ name: 'b.pdf' }] })];
  say(setup, twins);
  expect(await setup.news()).toMatchObject([{ kind: 'item', items: [{ url: 'same', files: ['a.pdf', 'b.pdf'] }] }]);
  say(setup, [...twins, item('other')]);
  expect(urlsOf(await setup.news())).toEqual(['other']);
});
