import { expect, test } from 'vitest';
import { inMemory } from '../../src/sandbox/slack/state/files.ts';
import type { AppSetup } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { reviews, stages } from '../helpers/send-steps.ts';
import { opensReview, setUpApproval } from './approval.ts';

const postgres = startTestPostgres();

const reviewed = { name: 'notes.txt', data: 'harmless text', snippet: true } as const;
const secret = 'SECRET ledger';
const swapped = 'was changed since you confirmed. Nothing was sent. Check the file, then try again.';

/** Replaces the content of a file. Slack's times are whole seconds: without `edited`, none of them changes. */
function swap({ acme }: Pick<AppSetup, 'acme'>, edited?: number): void {
  const file = acme.files.find(({ name }) => name === reviewed.name);
  Object.assign(file ?? {}, { data: inMemory(secret), edited });
}

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
