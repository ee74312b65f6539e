import { expect, test } from 'vitest';
import { ada, type Exchange, loggedIn, user } from './helper.ts';

const day = 24 * 60 * 60_000;
const read = async (exchange: Exchange) => JSON.parse((await exchange.get('get_history')).text);
const dispatch = async (exchange: Exchange, desttime = 7) => {
  await exchange.prepare();
  await exchange.post('createdrop', { desttime, ddmessage: 'Hello' });
};

test('a dispatch is listed in the history in the documented shape', async () => {
  const exchange = await loggedIn();
  await dispatch(exchange);
  expect(await read(exchange)).toEqual({
    history: [
      {
        drop_type: 'downloadfiles',
        create_time: String(exchange.clock.now / 1000),
        ttl: '7',
        receivers: [{ ...ada, name: 'Ada' }],
        ddmessage: 'Hello',
        sender: {
          email: user,
          number: '46700000000',
          lang: expect.any(String),
          first_run: 'false',
          accountType: expect.any(String),
          change_passwd: 'false',
          settings: {
            show_number: expect.stringMatching(/^(true|false)$/),
            show_email: expect.stringMatching(/^(true|false)$/),
            show_lang: expect.stringMatching(/^(true|false)$/),
            show_nick: expect.stringMatching(/^(true|false)$/),
          },
        },
        files: [{ name: 'report.txt', settings: '[]' }],
      },
    ],
    live_drops: '1',
    inbox: [],
  });
});

test('an expired drop stays in the history and is no longer live', async () => {
  const exchange = await loggedIn();
  await dispatch(exchange, 1);
  await dispatch(exchange, 2);
  expect((await read(exchange)).live_drops).toBe('2');
  exchange.clock.now += day;
  await exchange.login();
  expect(await read(exchange)).toMatchObject({ live_drops: '1', history: [{ ttl: '1' }, { ttl: '2' }] });
});

test('the number of live drops can be in live_drop instead of live_drops', async () => {
  const exchange = await loggedIn({ behaviour: { liveDropsField: 'live_drop' } });
  expect(await read(exchange)).toEqual({ history: [], live_drop: '0', inbox: [] });
});

test('the unit of desttime can be configured', async () => {
  const exchange = await loggedIn({ behaviour: { ttlUnitMs: 60_000 } });
  await dispatch(exchange, 5);
  exchange.clock.now += 5 * 60_000;
  expect(await read(exchange)).toMatchObject({ live_drops: '0' });
});

test('a new drop can appear in the history after several reads', async () => {
  const exchange = await loggedIn({ behaviour: { historyLag: 2 } });
  await dispatch(exchange);
  expect(await read(exchange)).toMatchObject({ history: [], live_drops: '0' });
  await dispatch(exchange);
  expect((await read(exchange)).history).toHaveLength(0);
  expect((await read(exchange)).history).toHaveLength(1);
  expect((await read(exchange)).history).toHaveLength(2);
});

test('givedrop is listed in the history as a drop without files', async () => {
  const exchange = await loggedIn();
  await exchange.post('receivers_set', [{ email: 'no-nick@example.org' }]);
  await exchange.post('givedrop', { desttime: 1, ddmessage: 'Please' });
  expect((await read(exchange)).history).toMatchObject([
    { drop_type: 'uploadfiles', files: [], receivers: [{ email: 'no-nick@example.org' }], ddmessage: 'Please' },
  ]);
});

test('the inbox lists items for the account until they expire', async () => {
  const exchange = await loggedIn();
  const files = [
    { name: 'a.txt', data: 'aaa' },
    { name: 'a.txt', data: 'bbb' },
  ];
  const item = await exchange.server.addInboxItem(user, { sender: ada.email, files, ttl: 2 });
  exchange.clock.now += 1500;
  expect((await read(exchange)).inbox).toEqual([
    {
      ttl: '2',
      createtime: String((exchange.clock.now - 1500) / 1000),
      sender: ada.email,
      files: [
        { name: 'a.txt', settings: '[]' },
        { name: 'a_1.txt', settings: '[]' },
      ],
      url: item.url,
    },
  ]);
  exchange.clock.now += 2 * day;
  await exchange.login();
  expect((await read(exchange)).inbox).toEqual([]);
});

test('addInboxItem rejects unknown accounts and invalid names', async () => {
  const { server } = await loggedIn();
  await expect(server.addInboxItem('no@one', { sender: 'x', files: [] })).rejects.toThrow('no account');
  for (const name of ['', '.', '..', 'a\0b']) {
    await expect(server.addInboxItem(user, { sender: 'x', files: [{ name, data: '' }] })).rejects.toThrow('name');
  }
});
