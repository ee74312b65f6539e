import { expect, test } from 'vitest';
import { anna, bo, type FeaturesSetup, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

/** A worker that soon looks at the history again. */
function workLater({ work, services }: FeaturesSetup): Promise<unknown> {
  return work({ services: { ...services, timing: { ...services.timing, lateLooksMs: [50, 200, 500] } } });
}

/** One read more than a transfer makes before it ends. */
const late = { behaviour: { historyLag: 4 } };

test('the entry of another sender with the same file name is not taken for it', async () => {
  const setup = await setUpFeatures(postgres, { server: late });
  const { send, shelf, heard, drained, store } = setup;
  await workLater(setup);
  shelf.put('F1', 'plan.pdf', 'the plan');
  const ids: string[] = [];
  for (const [actor, recipient] of [
    [anna, 'carl@example.org'],
    [bo, 'dora@example.net'],
    [anna, 'carl@example.org'],
    [bo, 'emil@example.com'],
  ] as const) {
    ids.push((await send(actor, { files: ['F1'], receivers: [recipient] })).id);
  }
  await drained();
  expect(heard.alarms).toEqual([]);
  const { rows } = await store.pool.query('select entry_mark from dropline.dispatches where id = any ($1)', [ids]);
  expect(rows.filter(({ entry_mark }) => entry_mark !== null).length).toBeGreaterThanOrEqual(3);
});
