import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { reviews, stages } from '../helpers/send-steps.ts';
import { opensReview, setUpApproval } from './approval.ts';
import { reviewed, swap, swapped } from './send-swapped.ts';

const postgres = startTestPostgres();

test('an approved snippet that is swapped within a second to the same size is not sent', async () => {
  const setup = await setUpApproval(postgres, ({ cleo }) => ({ every: true, approvers: [cleo.id] }));
  const { bo, cleo, account } = setup;
  await stages(bo, [reviewed]);
  await reviews(bo);
  await bo.submits('Request approval');
  await bo.sees('Waiting for approval');
  await bo.closes();
  await opensReview(cleo);
  swap(setup);
  await cleo.submits('Approve');
  await bo.opens('Dropline');
  await bo.sees(`“notes.txt” ${swapped}`);
  expect(account).toMatchObject({ drops: [], uploads: [], receivers: [] });
});
