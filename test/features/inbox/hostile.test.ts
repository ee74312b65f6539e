import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { listInbox } from '../../../src/features/inbox/operations.ts';
import { pollState } from '../../../src/features/inbox/polls.ts';
import { anna } from '../../helpers/features.ts';
import { type InboxSetup, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

/** The next reading of the history says this; a long answer that has changed is asked for a second time. */
function say({ server }: InboxSetup, inbox: unknown[], times = 1): void {
  const body = JSON.stringify({ history: [], live_drops: '0', inbox });
  const headers = { 'content-type': 'application/json' };
  server.addFault({ operation: 'get_history', kind: 'answer', times, answer: { headers, body } });
}

const item = (url: unknown, more: object = {}) => ({
  url,
  sender: 'carl@example.org',
  createtime: '1700000000',
  ttl: '7',
  files: [{ name: 'a.pdf', settings: '[]' }],
  ...more,
});

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

test('an item whose address cannot be asked for or kept is passed over, and nothing else is missed', async () => {
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
  expect(found('long')).toMatchObject({ sender: long, files: [long] });
  expect(found('binary')).toMatchObject({ sender: 'a\0b\ud800', files: ['../\0\u202e\ud800.exe'] });
});

test('an address that comes twice is one item with the files of both, however they are ordered', async () => {
  const setup = await setUpInbox(postgres);
  const twins = [item('same', { files: [{ name: 'a.pdf' }] }), item('same', { files: [{ name: 'b.pdf' }] })];
  say(setup, twins);
  expect(await setup.news()).toMatchObject([{ kind: 'item', items: [{ url: 'same', files: ['a.pdf', 'b.pdf'] }] }]);
  say(setup, [...twins, item('other')]);
  expect(urlsOf(await setup.news())).toEqual(['other']);
});

test('ten thousand items are one post, then all of them change, and one more is one more', async () => {
  const setup = await setUpInbox(postgres);
  const many = (name: string) => Array.from({ length: 10_000 }, (_, n) => item(`url-${n}`, { files: [{ name }] }));
  say(setup, many('a.pdf'), 2);
  const posts = await setup.news();
  expect(posts.map(({ kind }) => kind)).toEqual(['many']);
  expect(new Set(urlsOf(posts)).size).toBe(10_000);
  say(setup, [item('one-more'), ...many('b.pdf')], 2);
  expect(urlsOf(await setup.news())).toEqual(['one-more']);
  const [listed] = await listInbox(setup.services, anna, { limit: 1, offset: 5_000 });
  expect(listed?.files).toEqual(['b.pdf']);
  say(setup, []);
  expect((await setup.news()).map(({ kind }) => kind)).toEqual(['changed']);
  expect(await listInbox(setup.services, anna)).toEqual([]);
}, 90_000);

test('ten thousand items at connect are counted', async () => {
  const setup = await setUpInbox(postgres);
  await setup.connectWorkspace('T2');
  await setup.store.pool.query(`update dropline.polls set paused_at = now() where workspace = 'T1'`);
  say(
    setup,
    Array.from({ length: 10_000 }, (_, n) => item(`url-${n}`)),
  );
  expect(await setup.news()).toEqual([{ kind: 'baseline', workspace: 'T2', items: [], count: 10_000 }]);
});
