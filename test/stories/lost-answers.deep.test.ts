import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { fillsInFia, trouble } from './lost-answers.ts';

const postgres = startTestPostgres();

interface SubmittedView {
  id: string;
  hash: string;
  state: { values: object };
}

/** As a process leaves it that dies after it has heard of the form. */
async function leaveClaimed(person: Person, { slack, acme, services }: AppSetup): Promise<void> {
  slack.addFault({ delivery: 'view_submission', kind: 'unreachable' });
  await person.submits('Add this contact');
  await person.sees(trouble);
  const [{ id, hash, state }] = slack.deliveries.slice(-1).map(({ payload }) => payload.view) as [SubmittedView];
  const delivery = `form ${id} ${hash} ${JSON.stringify(state.values)}`;
  const name = createHash('sha256').update(delivery).digest('base64url');
  await services.store
    .collection({ kind: 'claim', schema: z.literal(true) })
    .set(acme.id, true, { name, ttlMs: 60_000 });
}

test('a form whose process died before it answered is not left "working": the person is told to look', async () => {
  const setup = await setUpApp(postgres);
  const { bo, slack, exchange } = setup;
  await fillsInFia(bo);
  await leaveClaimed(bo, setup);
  await bo.submits('Add this contact');
  await bo.sees('Working on it …');
  await expect.poll(() => bo.screen()).toContain('nobody knows what became of it');
  await bo.sees('E-mail address: fia@example.org');
  expect(exchange.calls.filter(({ operation }) => operation === 'contacts_add')).toEqual([]);
  await bo.submits('Add this contact');
  await bo.sees('Done: 1 contact added.');
  await slack.settled();
});

test('whoever has closed such a form meanwhile is told in a message', async () => {
  const setup = await setUpApp(postgres);
  const { bo } = setup;
  await fillsInFia(bo);
  await leaveClaimed(bo, setup);
  await bo.submits('Add this contact');
  await bo.sees('Working on it …');
  await bo.closes();
  await bo.sees('You have sent “Add a contact” before, and nobody knows what became of it.');
});
