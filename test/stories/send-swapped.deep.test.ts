import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews } from '../helpers/send-steps.ts';
import { reviewed, swap, swapped } from './send-swapped.ts';

const postgres = startTestPostgres();

test.each([
  ['a snippet', reviewed, undefined],
  ['another file', { name: reviewed.name, data: reviewed.data }, 1],
])('%s that is swapped while the file before it is uploaded is not sent', async (_, file, edited) => {
  const setup = await setUpApp(postgres);
  const { bo, account, exchange } = setup;
  await reviews(bo, { attached: [{ name: 'a.pdf', data: 'the plan' }, file] });
  const delay = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await confirms(bo, 2);
  await delay.triggered;
  swap(setup, edited);
  await delay.release();
  await bo.sees(`“notes.txt” ${swapped}`);
  expect(account).toMatchObject({ drops: [], uploads: [], receivers: [] });
});
