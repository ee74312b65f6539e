import { onTestFinished } from 'vitest';
import type { z } from 'zod';
import { createExchange, createServiceAgent, type Exchange, type Limits } from '../../src/exchange/index.ts';
import type { Actor, EditOutcome } from '../../src/features/common/services.ts';
import type { Change, changeSchema } from '../../src/features/contacts/edit/diff.ts';
import { changeContacts } from '../../src/features/contacts/edit/operations.ts';
import type { EditResult } from '../../src/features/contacts/edit/reconcile.ts';
import { parseContact, parseFields, parseGroupName } from '../../src/features/contacts/list/fields.ts';
import type { TransferServices } from '../../src/features/transfers/kind.ts';
import type { Call } from '../../src/sandbox/exchange/index.ts';
import { type FeaturesSetup, setUpFeatures, until } from './features.ts';
import type { TestPostgres } from './postgres.ts';

export interface ContactsSetup extends FeaturesSetup {
  /** Changes contacts through a worker. Resolves with the outcome that was reported to the person. */
  change(actor: Actor, change: TypedChange): Promise<EditOutcome>;
  /** Starts delayed jobs until the edit's outcome is reported. Returns that outcome. */
  awaitOutcome(edit: string): Promise<EditOutcome>;
  /** Lists the calls that tried to replace the contacts. */
  writes(): Call[];
  /** Lists the addresses on the service, in order. */
  emails(): string[];
}

/** Longer than any test's own timeout, so that the test's timeout applies. */
const editTimeoutMs = 600_000;

export async function setUpContacts(
  postgres: TestPostgres,
  options: Parameters<typeof setUpFeatures>[1] = {},
): Promise<ContactsSetup> {
  const setup = await setUpFeatures(postgres, options);
  const { services, notifications, server, account } = setup;
  const awaitOutcome = (edit: string) =>
    until(
      async () => {
        await runJobsNow(services);
        return notifications.edits.find(({ id }) => id === edit)?.outcome;
      },
      `the edit ${edit} to end`,
      editTimeoutMs,
    );
  return {
    ...setup,
    awaitOutcome,
    change: async (actor, change) => awaitOutcome(await changeContacts(services, actor, parsed(change))),
    writes: () => server.calls.filter(({ operation }) => operation === 'contacts_add'),
    emails: () => account.contacts.local.map(({ email }) => email),
  };
}

/** Starts delayed jobs and retries now: these tests are about order, not duration. */
export async function runJobsNow({ store }: Pick<TransferServices, 'store'>): Promise<void> {
  await store.pool.query(
    'update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_by is null',
  );
}

/** Returns the same services with a client that times out early. */
export function withShortTimeouts(
  services: TransferServices,
  limits: Partial<Limits> = { answerMs: 1_000, callMs: 5_000 },
): TransferServices {
  const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
  onTestFinished(() => dispatcher.destroy());
  const { store } = services;
  return { ...services, connectTo: (login) => createExchange({ ...login, tokens: store.tokens, dispatcher, limits }) };
}

/** Runs the next `beforeWrite` callback before each write, and the next `afterWrite` callback after it. */
export function withWriteHooks(hooks: {
  beforeWrite?: (() => void)[];
  afterWrite?: (() => void)[];
}): (exchange: Exchange) => Exchange {
  const { beforeWrite = [], afterWrite = [] } = hooks;
  return (exchange) => ({
    ...exchange,
    async replaceContacts(contacts, options) {
      beforeWrite.shift()?.();
      await exchange.replaceContacts(contacts, options);
      afterWrite.shift()?.();
    },
  });
}

export const done = (counts: Partial<EditResult> = {}) => ({
  state: 'done',
  added: 0,
  updated: 0,
  removed: 0,
  restored: [],
  altered: [],
  ...counts,
});

/** A change as a person types it. */
export type TypedChange = z.input<typeof changeSchema>;

/** Parses a change as the forms do. */
export function parsed(change: TypedChange): Change {
  switch (change.kind) {
    case 'add':
    case 'import':
      return { ...change, contacts: change.contacts.map(parseContact) };
    case 'edit':
      return { ...change, fields: parseFields(change.fields) };
    case 'group':
      return { ...change, group: parseGroupName(change.group) };
    case 'remove':
      return change;
  }
}

/** The most common changes. */
export const adding = (...emails: string[]) => parsed({ kind: 'add', contacts: emails.map((email) => ({ email })) });
export const removing = (...emails: string[]) => parsed({ kind: 'remove', emails });
export const changingNick = (email: string, nick: string) => parsed({ kind: 'edit', email, fields: { nick } });
