import { expect, test } from 'vitest';
import { holdOf } from '../../src/features/outgoing/holds.ts';
import { ledgerOf } from '../../src/features/outgoing/ledger.ts';
import { prepareDispatch } from '../../src/features/send/operations.ts';
import { anna } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { losesAnswer, outcomesOf, setUpWatch, textOf, wish } from './watch.ts';

const postgres = startTestPostgres();

test('a history that cannot be read to the end proves nothing', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, server } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-before');
  server.addFault({ operation: 'get_history', kind: 'answer', times: 99, answer: { status: 500, body: 'no' } });
  await look(first.id);
  expect(textOf(await look(first.id))).toBe(
    `⚠️ Probably not sent: 1 file to carl@example.org. The service did not answer, and I could not check its history again. Ask a recipient before you send it again. (Reference ${first.id.slice(0, 8)})`,
  );
  expect(await outcomesOf(setup, first)).toEqual(['probably-not-sent']);
});

test('a drop of its file to somebody else alarms, and sending is paused', async () => {
  const setup = await setUpWatch(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      createDispatch: async (parameters) => {
        await exchange.setReceivers((await exchange.readContacts()).local.slice(2));
        await exchange.createDispatch({ ...parameters, message: 'other' });
      },
    }),
  });
  const { work, look, history, heard, server, account, store } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-after');
  expect(first.state).toBe('failed');
  history('all');
  expect(await look(first.id)).toMatchObject({ state: 'unknown', isSeen: false });
  expect(heard.alarms.map(({ kind }) => kind)).toEqual(['difference', 'outcome-unknown']);
  const hold = await holdOf(store.pool, `${server.url}/${account.user}`);
  expect(hold).toMatchObject({ dispatch: first.id, reason: 'difference' });
  await setup.drained();
});

test('what was unknown and turns up as confirmed is sent, and the hold is released', async () => {
  const setup = await setUpWatch(postgres, { server: { behaviour: { historyLag: 1_000_000 } } });
  const { work, look, history, heard, server, account, store } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-after');
  expect(textOf(first)).toMatch(/^⚠️ Not known whether it was sent: .*I'll keep checking the history until .* UTC\.$/);
  history('all');
  expect(textOf(await look(first.id))).toMatch(/^✅ Sent: .*I told you that this was unconfirmed\./);
  expect(heard.alarms.map(({ kind }) => kind)).toEqual(['outcome-unknown', 'found']);
  expect(await holdOf(store.pool, `${server.url}/${account.user}`)).toBeUndefined();
});

test('while the workspace leaves, no watch is promised', async () => {
  const setup = await setUpWatch(postgres);
  const { server, shelf, work, heard, store } = setup;
  shelf.put('F1', 'plan.pdf', 'the plan');
  const lost = server.addFault({ operation: 'createdrop', kind: 'reset-before' });
  const kept = await store.credentials.get('T1');
  if (kept === undefined) throw new Error('it is not connected');
  void lost.struck.then(() => store.credentials.set('T1', { ...kept, leavingSince: Date.now() }));
  await work();
  const sent = await setup.send(anna, wish);
  expect(sent.details).toMatchObject({ result: { code: 'probably-not-sent' } });
  expect(sent.details?.watchedUntil).toBeUndefined();
  expect(heard.ended).toEqual([sent.id]);
});

test('what an older version told as not sent stays so, and nobody is warned', async () => {
  const setup = await setUpWatch(postgres);
  const { work, look, store, services } = setup;
  await work();
  const first = await losesAnswer(setup, 'reset-before');
  const result = { code: 'not-sent', sentence: 'Nothing was sent.', names: [] };
  await ledgerOf(store).revise(first.id, async () => ({ details: { result, watchedUntil: undefined } }));
  expect(textOf(await look(first.id))).toMatch(/^⚠️ Not sent: .* Nothing was sent\. \(Reference \w{8}\)$/);
  expect((await prepareDispatch(services, anna, wish)).earlier).toBeUndefined();
  await setup.drained();
});
