import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { reviews, stages } from '../helpers/send-steps.ts';
import { connectionError, fillInContact } from './lost-answers.ts';

const postgres = startTestPostgres();

interface SubmittedView {
  id: string;
  hash: string;
  state: { values: object };
}

/** Submits the form as if to a process that claims it and dies: the claim is stored, but there is no answer. */
async function submitToDyingProcess(person: Person, { slack, acme, services }: AppSetup): Promise<void> {
  slack.addFault({ delivery: 'view_submission', kind: 'unreachable' });
  await person.submits('Add');
  await person.sees(connectionError);
  const [{ id, hash, state }] = slack.deliveries.slice(-1).map(({ payload }) => payload.view) as [SubmittedView];
  const delivery = `form ${id} ${hash} ${JSON.stringify(state.values)}`;
  const name = createHash('sha256').update(delivery).digest('base64url');
  await services.store
    .collection({ kind: 'claim', schema: z.literal(true) })
    .set(acme.id, true, { name, ttlMs: 60_000 });
}

test('if its process dies, a form shows an unknown result and can be resubmitted', async () => {
  const setup = await setUpApp(postgres);
  const { bo, slack, exchange } = setup;
  await fillInContact(bo);
  await submitToDyingProcess(bo, setup);
  await bo.submits('Add');
  await bo.sees('Working on it…');
  await expect.poll(() => bo.screen()).toContain('its result is unknown');
  await bo.sees('Email: fia@example.org');
  expect(exchange.calls.filter(({ operation }) => operation === 'contacts_add')).toEqual([]);
  await bo.submits('Add');
  await bo.sees('Contact added.');
  await slack.untilIdle();
});

test('a message reports an unknown outcome when the form was closed before the answer', async () => {
  const setup = await setUpApp(postgres);
  const { bo } = setup;
  await fillInContact(bo);
  await submitToDyingProcess(bo, setup);
  await bo.submits('Add');
  await bo.sees('Working on it…');
  await bo.closes();
  await bo.sees('“Add contact” was already submitted, but its result is unknown.');
});

test.each(['the same process', 'another process'])(
  'a resubmitted form keeps showing the outcome if %s answers later',
  async (answeredBy) => {
    const { bo, slack, exchange, startAnotherBot, untilIdle } = await setUpApp(postgres);
    const other = await startAnotherBot();
    await fillInContact(bo);
    const saving = exchange.addFault({ operation: 'contacts_add', kind: 'delay' });
    slack.addFault({ delivery: 'view_submission', kind: 'lost-answer' });
    await bo.submits('Add');
    await bo.sees(connectionError);
    const second = slack.addFault({ delivery: 'view_submission', kind: 'delay' });
    if (answeredBy === 'another process') slack.deliverTo(other.url);
    const submitting = bo.submits('Add');
    await Promise.all([saving.triggered, second.triggered]);
    await saving.release();
    await bo.sees('Contact added.');
    await second.release();
    await submitting;
    await untilIdle();
    await bo.sees('Contact added.');
    expect(exchange.calls.filter(({ operation }) => operation === 'contacts_add')).toHaveLength(1);
  },
);

test('if the review is closed after a lost answer, a card is left, but no draft', async () => {
  const { bo, slack, account, untilIdle } = await setUpApp(postgres);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo, { to: 'carl' });
  slack.addFault({ delivery: 'view_submission', kind: 'lost-answer' });
  await bo.submits('Send 1 file to 1 person');
  await bo.sees(connectionError);
  await bo.closes();
  await bo.sees('✅ Sent');
  await untilIdle();
  expect(account.drops).toHaveLength(1);
  expect(bo.messages.filter(({ text }) => text.includes('Nothing was sent'))).toEqual([]);
  expect(bo.messages.filter(({ text }) => /^\s*(Queued|✅ Sent)/.test(text))).toHaveLength(1);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.sees('Send files');
  expect(bo.screen()).not.toContain('carl@example.org');
});

test('a late answer does not replace the outcome in the form', async () => {
  const { bo, slack, exchange } = await setUpApp(postgres);
  await fillInContact(bo);
  const late = slack.addFault({ delivery: 'view_submission', kind: 'late-answer' });
  const submitting = bo.submits('Add');
  await late.triggered;
  await sleep(150);
  late.release();
  await submitting;
  await bo.sees('Contact added.');
  expect(exchange.calls.filter(({ operation }) => operation === 'contacts_add')).toHaveLength(1);
});

test('if a form is corrected and then resubmitted, the corrected values are saved', async () => {
  const { bo, slack, account } = await setUpApp(postgres);
  await fillInContact(bo);
  slack.addFault({ delivery: 'view_submission', kind: 'lost-answer' });
  await bo.submits('Add');
  await bo.sees(connectionError);
  await bo.fills('Email', 'gus@example.org');
  await bo.submits('Add');
  await bo.sees('Contact added.');
  await slack.untilIdle();
  await expect.poll(() => account.contacts.local.map(({ email }) => email)).toContain('gus@example.org');
});

test("if a card can't be posted at first, its transfer is sent and leaves no draft", async () => {
  const { bo, slack, account, untilIdle } = await setUpApp(postgres);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo, { to: 'carl' });
  slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'fatal_error' });
  await bo.submits('Send 1 file to 1 person');
  await bo.sees("I'll update you in our direct messages.");
  await untilIdle();
  await bo.sees("I'll update you in our direct messages.");
  expect(account.drops).toHaveLength(1);
  await bo.closes();
  await bo.sees('✅ Sent');
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.sees('To: ‹');
});

test('if the database is down, a submitted form stays open and can be resubmitted', async () => {
  const { bo, acme, services, database, account } = await setUpApp(postgres);
  await fillInContact(bo);
  await database.disconnect();
  // Without the database this only clears the token cache, so that the next request must read the database.
  const query = { teamId: acme.id, enterpriseId: undefined, isEnterpriseInstall: false };
  await services.slack.installations.deleteInstallation?.(query).catch(() => {});
  await bo.submits('Add');
  await bo.sees(connectionError);
  await database.reconnect();
  await bo.submits('Add');
  await bo.sees('Contact added.');
  expect(account.contacts.local.map(({ email }) => email)).toContain('fia@example.org');
});
