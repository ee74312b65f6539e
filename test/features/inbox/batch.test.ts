import { expect, test } from 'vitest';
import { addToBatch, endInBatch, setDialog } from '../../../src/features/inbox/orders/repository.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { setUpStore } from '../../helpers/store.ts';

const postgres = startTestPostgres();

test('a download that ends twice counts once in the result of its batch', async () => {
  const { store } = await setUpStore(postgres);
  const id = { workspace: 'T1', id: 'V1' };
  await addToBatch(store, id, ['first', 'second']);
  for (let time = 0; time < 2; time += 1) expect(await endInBatch(store, id, 'first', false)).toBeUndefined();
  expect(await endInBatch(store, id, 'second', true)).toBeUndefined();
  const dialog = { view: 'V1', hash: 'H1', page: 0 };
  const ended = await setDialog(store, id, dialog);
  expect(ended).toMatchObject({ total: 2, failed: 1 });
  expect(await setDialog(store, id, dialog)).toBeUndefined();
});
