import { expect } from 'vitest';
import type { Change } from '../../../src/features/contacts/edit/diff.ts';
import { changeContacts } from '../../../src/features/contacts/edit/operations.ts';
import type { FaultRequest } from '../../../src/sandbox/exchange/index.ts';
import { createContactModel, randomChange, textsOf } from '../../helpers/contact-model.ts';
import { type ContactsSetup, parsed, runJobsNow, setUpContacts, withShortTimeouts } from '../../helpers/contacts.ts';
import { admin, anna, bo, type FeaturesOptions, until } from '../../helpers/features.ts';
import type { TestPostgres } from '../../helpers/postgres.ts';
import { createRandom } from '../../helpers/seeded.ts';

const oddContacts = [
  {
    email: 'Foreign@Example.org',
    number: 46701234567,
    groups: null,
    nick: 'Ö "x" \\ \u2028 😀',
    since: { tags: [1.5] },
  },
  { z: 1, a: { y: [], b: null }, email: 'order@example.org', nick: '', 10: 'ten', big: 1e300 },
];

const faults: Omit<FaultRequest, 'operation'>[] = [
  { kind: 'reset-before' },
  { kind: 'reset-during' },
  { kind: 'reset-after' },
  { kind: 'hang' },
  { kind: 'hang-after' },
  { kind: 'wrong-token' },
  { kind: 'answer', answer: { body: '<html>Welcome</html>' } },
  { kind: 'answer', answer: { status: 500, body: 'Oops' }, times: 2 },
];

/** A worker with its own store and client, like another process. */
async function startWorker(setup: ContactsSetup) {
  const store = await setup.openAnotherStore();
  return setup.startWorker({
    store,
    services: withShortTimeouts(setup.otherServices(store), { answerMs: 300, callMs: 1_500 }),
  });
}

/**
 * Expects that each edit by three people is applied once or not at all, despite lost answers and replaced workers, and
 * that no other contact changes.
 */
export async function runRandomEdits(
  postgres: TestPostgres,
  seed: number,
  edits: number,
  options?: FeaturesOptions,
): Promise<void> {
  const random = createRandom(seed);
  const setup = await setUpContacts(postgres, options);
  const { services, server, account, notifications, store, awaitOutcome } = setup;
  const known = Array.from({ length: 20 }, (_, index) => ({
    email: `c${index}@example.org`,
    id: index,
    groups: ['g0'],
  }));
  account.contacts.local = [...structuredClone(oddContacts), ...known];
  const model = createContactModel(account.contacts.local);
  const workers = [await startWorker(setup), await startWorker(setup), await startWorker(setup)];

  const changes = new Map<string, Change>();
  while (changes.size < edits) {
    const batch = Array.from({ length: Math.min(12, edits - changes.size) }, (_, index) =>
      parsed(randomChange(random, changes.size + index)),
    );
    const submitted: string[] = [];
    for (const change of batch) {
      if (random.below(2) === 0) {
        const operation = random.pick(['contacts_add', 'contacts_add', 'contacts_read'] as const);
        server.addFault({ operation, ...random.pick(faults) });
      }
      const edit = await changeContacts(services, random.pick([anna, bo, admin]), change);
      changes.set(edit, change);
      submitted.push(edit);
    }
    if (random.below(4) === 0) {
      // Replace one worker, even in the middle of an edit.
      await workers.shift()?.stop(0);
      workers.push(await startWorker(setup));
    }
    for (const edit of submitted) await awaitOutcome(edit);
  }
  await until(async () => {
    await runJobsNow(services);
    return (await setup.queue.size()) === 0 || undefined;
  }, 'all edits to be reconciled');

  const { rows } = await store.pool.query<{ edit: string; outcome: string }>(
    'select id as edit, outcome from dropline.contact_edits order by created_at',
  );
  const applied = rows.filter(({ outcome }) => outcome === 'done').map(({ edit }) => edit);
  for (const edit of applied) model.apply(changes.get(edit) as Change);
  expect(textsOf(account.contacts.local)).toEqual(model.texts());

  expect(new Set(applied).size).toBe(applied.length);
  expect(notifications.edits.map(({ id }) => id).sort()).toEqual([...changes.keys()].sort());
  for (const { id, outcome } of notifications.edits) {
    const counts = outcome.state === 'done' ? outcome.added + outcome.updated + outcome.removed : 0;
    if (outcome.state === 'failed' && outcome.code === 'unknown') continue;
    expect({ id, outcome, isApplied: applied.includes(id) }).toEqual({ id, outcome, isApplied: counts > 0 });
  }
  expect(applied.length).toBeGreaterThan(edits / 4);
  expect(notifications.alarms).toEqual([]);
}
