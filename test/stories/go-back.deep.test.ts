import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readDraft } from '../../src/features/staging/repository.ts';
import { readEntered, withdrawReview } from '../../src/features/transfers/lifecycle/operations.ts';
import { sendKind } from '../../src/features/transfers/send/kind.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';
import { openCard } from './request.ts';

const postgres = startTestPostgres();

test("a review can't be both confirmed and left with the Back button", async () => {
  const { services, acme, bo } = await setUpApp(postgres);
  const actor = { workspace: acme.id, person: bo.id };
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  const { staged: files } = await readDraft(services, actor);
  const entered = { recipients: ['carl@example.org'], groups: [], files, message: '', expiresAfter: 7 };
  const { reviewId: withdrawnId } = await prepareSend(services, actor, entered);
  await withdrawReview(services, actor, sendKind, withdrawnId);
  expect(await readEntered(services, actor, sendKind, withdrawnId)).toBeUndefined();
  await expect(confirmSend(services, actor, withdrawnId)).rejects.toThrow('This review has expired');
  const { reviewId: sentId } = await prepareSend(services, actor, entered);
  await confirmSend(services, actor, sentId);
  await expect(withdrawReview(services, actor, sendKind, sentId)).rejects.toThrow('Already confirmed.');
});

test('the Back button in the review of a request restores the form', async () => {
  const { anna, acme, services, account } = await setUpApp(postgres);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  await anna.types('/drop request', { in: 'Dropline' });
  await anna.picks('Request from', 'board');
  await anna.fills('Expires after (unit unknown)', '3');
  await anna.fills('Message', 'The contract, please');
  await anna.submits('Review');
  await anna.sees('2 people can upload files for you:');
  await anna.clicks('Back');
  await anna.sees('Request from: board');
  await anna.sees('Message (optional): The contract, please');
  await anna.fills('Expires after (unit unknown)', '4');
  await anna.submits('Review');
  await anna.submits('Request from 2 people');
  await openCard(anna);
  await anna.sees('Requested files from 2 people');
  expect(account.uploadPages.map(({ contact, message }) => [contact.email, message])).toEqual([
    ['carl@example.org', 'The contract, please'],
    ['dora@example.net', 'The contract, please'],
  ]);
});
