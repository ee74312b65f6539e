import { DroplineError, isDroplineError } from '../../../errors.ts';
import { handlerOf, type JobHandler, jobKind, PermanentError } from '../../../jobs/index.ts';
import { audited, outcomeOf } from '../../common/audited.ts';
import { withPlainLock } from '../../common/connection/account-lock.ts';
import { connectionOf } from '../../common/connection/connection.ts';
import { type Guard, guarded } from '../../common/connection/guarded.ts';
import { errorMessageWithReference, hasErrorMessage } from '../../common/error-message.ts';
import type { Actor, EditOutcome, Services } from '../../common/services.ts';
import { forgetContacts } from '../list/lists.ts';
import type { Change } from './diff.ts';
import { doneBefore, type Edited, editContacts } from './edit.ts';
import { imagesIn } from './images.ts';
import { editOrders } from './orders.ts';
import { reconcileLater } from './reconcile-job.ts';

/**
 * Five attempts take a minute and a half, or some minutes if the service doesn't answer. Then the person is told that
 * the outcome isn't known yet.
 */
export const editing = jobKind('contacts-edit', ['workspace', 'edit'], { attempts: 5 });

interface Ids extends Record<string, string> {
  workspace: string;
  edit: string;
}

export function editingJob(services: Services): JobHandler {
  const end = async ({ workspace, edit }: Ids, person: string, outcome: EditOutcome) => {
    await services.notifier.contactsEdited({ workspace, id: edit, person }, outcome);
    await services.store.collection(editOrders).delete(workspace, edit);
  };
  return handlerOf<Ids>({
    kind: editing,
    async run(ids, context) {
      const { workspace, edit: id } = ids;
      const asked = await services.store.collection(editOrders).get(workspace, id);
      if (asked === undefined) return; // already reported, or the workspace was disconnected
      let outcome: EditOutcome;
      try {
        const edited = await carryOut(
          services,
          { workspace, person: asked.person },
          id,
          asked.change as Change,
          context,
        );
        outcome = { state: 'done', ...edited };
      } catch (error) {
        context.signal.throwIfAborted();
        if (!hasErrorMessage(error)) throw error;
        // A half-done edit isn't given up: the next attempt reconciles it.
        if (await isOpen(services, ids)) throw error;
        outcome = failureOf(error, id);
      }
      await end(ids, asked.person, outcome);
    },
    async giveUp(ids, failure) {
      const { workspace, edit: id } = ids;
      const asked = await services.store.collection(editOrders).get(workspace, id);
      if (asked === undefined) return;
      // Perhaps the edit was done, and only the notification failed.
      const edited = await doneBefore(services, { workspace, id });
      if (edited !== undefined) return end(ids, asked.person, { state: 'done', ...edited });
      const error = failure instanceof PermanentError ? (failure.cause ?? failure) : failure;
      const isHalfDone = (await isOpen(services, ids)) && !isDroplineError(error, 'not-connected');
      if (isHalfDone) await reconcileLater(services, workspace);
      await end(ids, asked.person, failureOf(isHalfDone ? halfDone(error) : error, id));
    },
  });
}

function carryOut(services: Services, actor: Actor, id: string, change: Change, guard: Guard): Promise<Edited> {
  return audited(services, actor, `contacts ${change.kind}`, async ({ note }) => {
    note({ edit: id, emails: emailsOf(change) });
    const { exchange } = await connectionOf(services, actor.workspace);
    try {
      const edited = await withPlainLock(services.store, 'contacts', exchange.account, guard, (both) =>
        editContacts(services, guarded(exchange, both), { id, ...actor, change }, both.signal),
      );
      note({ ...edited });
      return edited;
    } finally {
      forgetContacts(services, exchange.account);
    }
  });
}

async function isOpen({ store }: Services, { workspace, edit }: Ids): Promise<boolean> {
  const image = await imagesIn(store).ofEdit(workspace, edit);
  return image !== undefined && image.outcome === undefined;
}

function halfDone(cause: unknown): DroplineError {
  const message = 'Nobody knows yet whether this was done. What is missing is put back as soon as the service answers.';
  const [why, names] = isDroplineError(cause) ? [`${cause.message} `, cause.names] : ['', []];
  return new DroplineError('unknown', `${why}${message}`, { names, cause });
}

function failureOf(error: unknown, edit: string): EditOutcome {
  const names = isDroplineError(error) ? error.names : [];
  return { state: 'failed', code: outcomeOf(error), sentence: errorMessageWithReference(error, edit), names };
}

/** Enough for the audit entry: an import can have thousands. */
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
