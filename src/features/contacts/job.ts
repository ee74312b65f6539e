import { z } from 'zod';
import { DroplineError, isDroplineError } from '../../errors.ts';
import { isExchangeError } from '../../exchange/index.ts';
import { handlerOf, type JobHandler, jobKind, PermanentError } from '../../jobs/index.ts';
import { audited } from '../audited.ts';
import { connectionOf } from '../connection.ts';
import { type Fence, fenced } from '../fenced.ts';
import type { Actor, EditOutcome, Services } from '../services.ts';
import { expectAllowed } from '../settings/permission.ts';
import type { Change } from './diff.ts';
import { type Edited, editContacts } from './edit.ts';
import { forgetContacts } from './lists.ts';

export const editing = jobKind('contacts-edit', ['workspace', 'edit'], { attempts: 25 });

const fields = z.object({
  email: z.string().optional(),
  number: z.string().optional(),
  language: z.string().optional(),
  groups: z.array(z.string()).optional(),
  nick: z.string().optional(),
});
const contact = fields.extend({ email: z.string() });

/** What was asked for, until it is done or cannot be. A payload holds ids only. */
const order = z.object({
  person: z.string(),
  change: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('add'), contacts: z.array(contact) }),
    z.object({ kind: z.literal('edit'), email: z.string(), fields }),
    z.object({ kind: z.literal('remove'), emails: z.array(z.string()) }),
    z.object({ kind: z.literal('import'), contacts: z.array(contact) }),
    z.object({ kind: z.literal('group'), group: z.string(), join: z.array(z.string()), leave: z.array(z.string()) }),
  ]),
});

const orderLifeMs = 7 * 86_400_000;

export const ordersOf = ({ store }: Pick<Services, 'store'>) => store.drawer('contact-edit', order);

export async function placeOrder(services: Services, { workspace, person }: Actor, id: string, change: Change) {
  // JSON has no undefined: what is not there is left out.
  const kept = order.parse({ person, change: JSON.parse(JSON.stringify(change)) });
  await ordersOf(services).set(workspace, kept, { name: id, ttlMs: orderLifeMs });
}

export function editingJob(services: Services): JobHandler {
  const { audience } = services;
  const end = async (ids: { workspace: string; edit: string }, person: string, outcome: EditOutcome) => {
    await audience.contactsEdited({ workspace: ids.workspace, id: ids.edit, person }, outcome);
    await ordersOf(services).delete(ids.workspace, ids.edit);
  };
  return handlerOf<{ workspace: string; edit: string }>({
    kind: editing,
    async run(ids, context) {
      const { workspace, edit: id } = ids;
      const asked = await ordersOf(services).get(workspace, id);
      if (asked === undefined) return; // told already, or the workspace has gone
      const actor = { workspace, person: asked.person };
      let outcome: EditOutcome;
      try {
        const edited = await carryOut(services, actor, id, asked.change as Change, context);
        outcome = { state: 'done', ...edited };
      } catch (error) {
        context.signal.throwIfAborted();
        // What is half done is not given up: the next attempt finds out and mends.
        if (!isDroplineError(error) && !isExchangeError(error)) throw error;
        if (isDroplineError(error, 'unknown') || (await isOpen(services, workspace, id))) throw error;
        outcome = failureOf(error);
      }
      await end(ids, asked.person, outcome);
    },
    async giveUp(ids, error) {
      const asked = await ordersOf(services).get(ids.workspace, ids.edit);
      if (asked === undefined) return;
      await end(ids, asked.person, failureOf(error instanceof PermanentError ? (error.cause ?? error) : error));
    },
  });
}

async function carryOut(services: Services, actor: Actor, id: string, change: Change, fence: Fence): Promise<Edited> {
  return audited(services, actor, `contacts ${change.kind}`, async ({ note }) => {
    note({ edit: id, emails: emailsOf(change) });
    await expectAllowed(services, actor, 'contacts');
    const { exchange } = await connectionOf(services, actor.workspace);
    try {
      const edited = await editContacts(services, fenced(exchange, fence), { id, ...actor, change });
      note({ ...edited });
      return edited;
    } finally {
      forgetContacts(services, exchange.account);
    }
  });
}

async function isOpen({ store }: Services, workspace: string, edit: string): Promise<boolean> {
  const { rows } = await store.pool.query(
    'select from dropline.contact_images where workspace = $1 and edit = $2 and settled_at is null',
    [workspace, edit],
  );
  return rows.length > 0;
}

function failureOf(error: unknown): EditOutcome {
  const code = isDroplineError(error) || isExchangeError(error) ? error.code : 'failed';
  const sentence = isDroplineError(error) || isExchangeError(error) ? error.message : 'Something went wrong.';
  return { state: 'failed', code, sentence, names: error instanceof DroplineError ? error.names : [] };
}

/** Enough for the audit; an import may have thousands. */
function emailsOf(change: Change): string[] {
  switch (change.kind) {
    case 'add':
    case 'import':
      return change.contacts.slice(0, 50).map(({ email }) => email);
    case 'edit':
      return [change.email];
    case 'remove':
      return change.emails.slice(0, 50);
    case 'group':
      return [...change.join, ...change.leave].slice(0, 50);
  }
}
