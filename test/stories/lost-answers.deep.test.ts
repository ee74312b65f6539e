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

/** Leaves the state of a process that died after it claimed the form. */
async function leaveClaimed(person: Person, { slack, acme, services }: AppSetup): Promise<void> {
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

test('a form whose process died asks the person to check instead of showing "Working"', async () => {
  const setup = await setUpApp(postgres);
  const { bo, slack, exchange } = setup;
  await fillInContact(bo);
  await leaveClaimed(bo, setup);
  await bo.submits('Add');
  await bo.sees('Working on it…');
  await expect.poll(() => bo.screen()).toContain('its result is unknown');
  await bo.sees('Email: fia@example.org');
  expect(exchange.calls.filter(({ operation }) => operation === 'contacts_add')).toEqual([]);
  await bo.submits('Add');
  await bo.sees('Contact added.');
  await slack.settled();
});

test('a message reports an unknown outcome when the form was closed before the answer', async () => {
  const setup = await setUpApp(postgres);
  const { bo } = setup;
  await fillInContact(bo);
  await leaveClaimed(bo, setup);
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

test('closing the review after a lost answer leaves a card and no draft', async () => {
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

test('a form corrected before it is resubmitted saves the corrected values', async () => {
  const { bo, slack, account } = await setUpApp(postgres);
  await fillInContact(bo);
  slack.addFault({ delivery: 'view_submission', kind: 'lost-answer' });
  await bo.submits('Add');
  await bo.sees(connectionError);
  await bo.fills('Email', 'gus@example.org');
  await bo.submits('Add');
  await bo.sees('Contact added.');
  await slack.settled();
  await expect.poll(() => account.contacts.local.map(({ email }) => email)).toContain('gus@example.org');
});

test("a transfer whose card can't be posted is sent without an error or leftover draft", async () => {
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

test('a form submitted during a database outage stays open and can be resubmitted', async () => {
  const { bo, acme, services, database, account } = await setUpApp(postgres);
  await fillInContact(bo);
  await database.disconnect();
  // This only clears the token cache: nothing is deleted, but the next request must read the database.
  const query = { teamId: acme.id, enterpriseId: undefined, isEnterpriseInstall: false };
  await services.slack.installations.deleteInstallation?.(query).catch(() => {});
  await bo.submits('Add');
  await bo.sees(connectionError);
  await database.reconnect();
  await bo.submits('Add');
  await bo.sees('Contact added.');
  expect(account.contacts.local.map(({ email }) => email)).toContain('fia@example.org');
});
