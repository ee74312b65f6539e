import { expect, test } from 'vitest';
import { makeContact } from '../../src/exchange/index.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { anna, bo, type FeaturesSetup, setUpFeatures, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

/** A worker that soon looks at the history again. */
function workLater({ work, services }: FeaturesSetup): Promise<unknown> {
  return work({ services: { ...services, timing: { ...services.timing, lateLooksMs: [50, 200, 500] } } });
}

/** One read more than a transfer makes before it ends. */
const late = { behaviour: { historyLag: 4 } };

test('a transfer that the history shows late is found without an alarm', async () => {
  const setup = await setUpFeatures(postgres, { server: late });
  const { send, shelf, store, heard, drained } = setup;
  await workLater(setup);
  shelf.put('F1', 'plan.pdf', 'the plan');
  const sent = await send(anna, { files: ['F1'], receivers: ['carl@example.org'] });
  expect(sent).toMatchObject({ state: 'sent', isSeen: false });
  await until(async () => (await transfersIn(store).read(sent.id))?.isSeen || undefined, 'the history to show it');
  await drained();
  expect(heard.alarms).toEqual([]);
  // Reported at its end and when it was found, and a third time if both happen at once.
  expect(heard.ended.length).toBeGreaterThanOrEqual(2);
  expect(new Set(heard.ended)).toEqual(new Set([sent.id]));
});

test('a late entry with another recipient raises an alarm and pauses sending', async () => {
  const stranger = makeContact({ email: 'mallory@example.org', number: '46799999999' });
  const setup = await setUpFeatures(postgres, {
    server: late,
    wrap: (exchange) => ({
      ...exchange,
      async createDispatch(parameters) {
        await exchange.setReceivers([stranger]);
        return exchange.createDispatch(parameters);
      },
    }),
  });
  const { send, shelf, heard, drained, store } = setup;
  await workLater(setup);
  shelf.put('F1', 'plan.pdf', 'the plan');
  const sent = await send(anna, { files: ['F1'], receivers: ['carl@example.org'] });
  expect(sent).toMatchObject({ state: 'sent', isSeen: false });
  await until(() => heard.alarms[0], 'an alarm');
  expect(heard.alarms).toMatchObject([{ kind: 'difference', transfer: sent.id, person: anna.person }]);
  await drained();
  expect(await store.audit.list('T1')).toContainEqual(
    expect.objectContaining({ act: 'dispatch', outcome: 'difference', reference: sent.id }),
  );
  await expect(send(bo, { files: ['F1'], receivers: ['dora@example.net'] })).rejects.toMatchObject({ code: 'held' });
});
