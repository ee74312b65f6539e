import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createMemoryTokens, createServiceAgent } from '../../src/exchange/index.ts';
import { failureOf, fileOf, setUp, user } from '../helpers/exchange.ts';
import { withAnswers } from '../helpers/odd-service.ts';
import { calls, prepare } from '../helpers/operations.ts';

test('a finished call removes its listeners from the caller’s signal', async () => {
  const setup = await setUp();
  await prepare(setup);
  const { signal } = new AbortController();
  for (const call of calls) await call.run(setup.exchange, signal);
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
});

test('a finished call clears its timers', async () => {
  const setup = await setUp();
  await prepare(setup);
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  for (let round = 0; round < 20; round += 1) {
    await setup.exchange.readContacts();
    await failureOf(setup.exchange.upload(fileOf('a', 'a', 2)));
  }
  expect(timers() - before).toBeLessThan(10); // undici keeps a few timers
});

test.each([
  [
    'a list over its limit',
    200,
    (exchange: Awaited<ReturnType<typeof withAnswers>>) => failureOf(exchange.listFiles()),
  ],
  [
    'a partial file',
    206,
    (exchange: Awaited<ReturnType<typeof withAnswers>>) => failureOf(exchange.download({ url: 'x', name: 'a' })),
  ],
  [
    'a download that is destroyed unread',
    200,
    async (exchange: Awaited<ReturnType<typeof withAnswers>>) =>
      (await exchange.download({ url: 'x', name: 'a' })).stream.destroy(),
  ],
] as const)('%s releases its connection', async (_, status, call) => {
  let closed = 0;
  const exchange = await withAnswers(
    (_request, response) => {
      response.on('close', () => {
        closed += 1;
      });
      response.writeHead(status, { 'content-length': '5000' }).write(' '.repeat(2000));
    },
    { limits: { filesBytes: 1000 } },
  );
  await call(exchange);
  await expect.poll(() => closed).toBe(1);
});

test('downloads run concurrently', async () => {
  const { exchange, server } = await setUp();
  const files = [{ name: 'f', data: Buffer.alloc(5_000_000) }];
  const { url } = await server.addInboxItem(user, { sender: 'bo@example.org', files });
  const open = [await exchange.download({ url, name: 'f' }), await exchange.download({ url, name: 'f' })];
  for (const { stream } of open) stream.destroy();
});

test('a running send fails as outcome-unknown when the agent is destroyed', async () => {
  const setup = await setUp();
  await prepare(setup);
  const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
  const exchange = setup.client({ dispatcher });
  await exchange.listFiles();
  const hang = setup.server.addFault({ operation: 'createdrop', kind: 'hang' });
  const failure = failureOf(exchange.createDispatch({ expiresAfter: 1, message: '' }));
  await hang.triggered;
  await dispatcher.destroy();
  expect(await failure).toMatchObject({ code: 'outcome-unknown' });
});

test('if the agent is closed, a send fails as unreachable, not outcome-unknown', async () => {
  const setup = await setUp();
  await prepare(setup);
  const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
  const exchange = setup.client({ dispatcher });
  await exchange.listFiles();
  await dispatcher.close();
  const failure = await failureOf(exchange.createDispatch({ expiresAfter: 1, message: '' }));
  expect(failure).toMatchObject({ code: 'unreachable' });
  expect(setup.account.drops).toEqual([]);
});

test('if an upload is rejected before it starts, its source stream is destroyed', async () => {
  const { client } = await setUp();
  const dispatcher = createServiceAgent(); // can't connect to this machine
  onTestFinished(() => dispatcher.destroy());
  const tokens = createMemoryTokens();
  const exchange = client({ dispatcher, tokens });
  await tokens.write(exchange.account, { value: 'T', lastUsed: Date.UTC(2026, 0, 1) });
  const stream = new Readable({ read() {} });
  const failure = await failureOf(exchange.upload({ name: 'a', size: 1, open: async () => stream }));
  expect(failure).toMatchObject({ code: 'address-not-allowed' });
  expect(stream.destroyed).toBe(true);
});
