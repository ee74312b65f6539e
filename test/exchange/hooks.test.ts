import { expect, test } from 'vitest';
import type { Operation } from '../../src/exchange/index.ts';
import { failureOf, fileOf, setUp } from '../helpers/exchange.ts';
import { calls, prepare } from '../helpers/operations.ts';

test.each(calls)('$name makes no request if beforeCall rejects', async (call) => {
  const setup = await setUp();
  await prepare(setup);
  const before = setup.server.calls.length;
  const operations: Operation[] = [];
  const guarded = setup.exchange.with({
    async beforeCall(operation) {
      operations.push(operation);
      throw new Error('the lock is lost');
    },
  });
  expect((await failureOf(call.run(guarded))).message).toBe('the lock is lost');
  expect(operations).toEqual([call.name]);
  expect(setup.server.calls.length).toBe(before);
});

test.each(calls)('$name makes no request if the signal of the client is already aborted', async (call) => {
  const setup = await setUp();
  await prepare(setup);
  const before = setup.server.calls.length;
  const reason = new Error('stopped');
  expect(await failureOf(call.run(setup.exchange.with({ signal: AbortSignal.abort(reason) })))).toBe(reason);
  expect(setup.server.calls.length).toBe(before);
});

test('hooks of createExchange and of each with() all run, in order', async () => {
  const { client } = await setUp();
  const order: string[] = [];
  const hookThatAdds = (word: string) => ({ beforeCall: async () => void order.push(word) });
  await client(hookThatAdds('one')).with(hookThatAdds('two')).with(hookThatAdds('three')).listFiles();
  expect(order).toEqual(['one', 'two', 'three']);
});

test('a running call is aborted by the signal of the client or of the call', async () => {
  const { server, exchange } = await setUp();
  for (const isSignalOfCall of [true, false]) {
    const hang = server.addFault({ operation: 'get_files', kind: 'hang' });
    const [own, other] = [new AbortController(), new AbortController()];
    const client = exchange.with({ signal: isSignalOfCall ? other.signal : own.signal });
    const failure = failureOf(client.listFiles({ signal: isSignalOfCall ? own.signal : other.signal }));
    await hang.triggered;
    own.abort(new Error('stopped'));
    expect((await failure).message).toBe('stopped');
  }
});

test('onUnanswered is called for unanswered requests, not for aborted uploads', async () => {
  const { server, exchange } = await setUp();
  const unanswered: Operation[] = [];
  const client = exchange.with({ onUnanswered: (operation) => unanswered.push(operation) });
  await client.setReceivers([]);
  server.addFault({ operation: 'receivers_set', kind: 'answer', times: 2, answer: { status: 500, body: 'no' } });
  await failureOf(client.setReceivers([]));
  expect(unanswered).toEqual([]);

  server.addFault({ operation: 'receivers_set', kind: 'reset-after' });
  await failureOf(client.setReceivers([]));
  expect(unanswered).toEqual(['setReceivers']);

  server.addFault({ operation: 'upload', kind: 'reset-after' });
  await failureOf(client.upload(fileOf('a.txt', 'all of it')));
  expect(unanswered).toEqual(['setReceivers', 'upload']);

  const stop = new AbortController();
  const file = fileOf('b.txt', 'half of it', 20);
  await failureOf(client.upload(file, { signal: stop.signal, onProgress: () => stop.abort() }));
  expect(unanswered).toEqual(['setReceivers', 'upload']);
});
