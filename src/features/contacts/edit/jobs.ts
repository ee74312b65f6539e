import { accountQueue, handlerOf, type JobHandler, jobKind, PermanentError } from '../../../jobs/index.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import { type Desk, type DeskIds, idsOfDesk } from '../../../store/index.ts';
import { audited, errorMessageWithReference, hasErrorMessage, outcomeOf } from '../../common/audited.ts';
import { connectionOf, type Guard, guarded } from '../../common/connection.ts';
import type { EditOutcome, Services } from '../../common/services.ts';
import { clearCachedContacts } from '../list/operations.ts';
import { earlierResult, editContacts } from './apply.ts';
import { auditedEmails } from './diff.ts';
import { editForgotten, editUnconfirmed } from './errors.ts';
import { type EditResult, reconcileOpenEdits } from './reconcile.ts';
import { type Edit, editsIn } from './repository.ts';

/**
 * Five attempts take 90 seconds, or several minutes if the service doesn't answer. After the last one, the person is
 * told how the edit ended, or that the outcome isn't known yet.
 */
export const editKind = jobKind('contacts-edit', ['workspace', 'edit'], { attempts: 5 });

interface EditIds extends Record<string, string> {
  workspace: string;
  edit: string;
}

export function editingJob(services: Services): JobHandler {
  const reportEnd = async ({ id, workspace, account, person }: Edit, outcome: EditOutcome) => {
    await services.notifier.contactsEdited({ workspace, account, id, person }, outcome);
    await editsIn(services.store).finish(workspace, id);
  };
  return handlerOf<EditIds>({
    kind: editKind,
    async run(ids, context) {
      const { workspace, edit: id } = ids;
      const requested = await editsIn(services.store).readRequest(workspace, id);
      if (requested === undefined) return; // already reported, or the workspace was disconnected
      if (requested.isForgotten) return reportEnd(requested, failedOutcome(editForgotten(), id));
      let outcome: EditOutcome;
      try {
        const edited = await runEdit(services, requested, context);
        outcome = { state: 'done', ...edited };
      } catch (error) {
        context.signal.throwIfAborted();
        if (!hasErrorMessage(error)) throw error;
        // The outcome is unknown: retry, because the next attempt reconciles the edit.
        if (await isOpen(services, ids)) throw error;
        outcome = failedOutcome(error, id);
      }
      await reportEnd(requested, outcome);
    },
    async giveUp(ids, failure) {
      const { workspace, edit: id } = ids;
      const requested = await editsIn(services.store).readRequest(workspace, id);
      if (requested === undefined) return;
      // The edit might be done: perhaps only the notification failed.
      const edited = await earlierResult(services, { workspace, id });
      if (edited !== undefined) return reportEnd(requested, { state: 'done', ...edited });
      const error = failure instanceof PermanentError ? (failure.cause ?? failure) : failure;
      const isUnresolved = (await isOpen(services, ids)) && !isDroplineError(error, 'not-connected');
      if (isUnresolved) await reconcileLater(services, requested);
      await reportEnd(requested, failedOutcome(isUnresolved ? editUnconfirmed(error) : error, id));
    },
  });
}

function runEdit(services: Services, edit: Edit, guard: Guard): Promise<EditResult> {
  return audited(services, edit, `contacts ${edit.change.kind}`, async ({ addDetails, skipEntry }) => {
    addDetails({ edit: edit.id, contacts: auditedEmails(edit.change) });
    // What was done is recorded when the edit is closed, perhaps by another job.
    skipEntry();
    const { exchange } = await connectionOf(services, edit);
    try {
      return await editContacts(services, guarded(exchange, guard), edit, guard.signal);
    } finally {
      clearCachedContacts(services, exchange.account);
    }
  });
}

async function isOpen({ store }: Services, { workspace, edit }: EditIds): Promise<boolean> {
  const sent = await editsIn(store).readSent(workspace, edit);
  return sent !== undefined && sent.outcome === undefined;
}

function failedOutcome(error: unknown, edit: string): EditOutcome {
  const names = isDroplineError(error) ? error.names : [];
  return { state: 'failed', code: outcomeOf(error), message: errorMessageWithReference(error, edit), names };
}

/** If this job fails, it queues another one after 30 seconds. The engine's own retries would wait longer each time. */
const reconcileKind = jobKind('contacts-reconcile', ['workspace', 'desk'], { attempts: 1, slots: 'long' });
const reconcileDelayMs = 30_000;

/** Queues a job that reconciles open edits. It is repeated until the service answers. */
async function reconcileLater(services: Services, desk: Required<Desk>): Promise<void> {
  const queue = accountQueue('contacts', desk.account);
  const options = {
    queue,
    key: `${queue} reconcile ${desk.workspace}`,
    runAt: new Date(Date.now() + reconcileDelayMs),
  };
  await services.queue.add(reconcileKind, idsOfDesk(desk), options);
}

export function reconcileJob(services: Services): JobHandler {
  return handlerOf<DeskIds>({
    kind: reconcileKind,
    async run(ids, context) {
      const desk = await services.store.credentials.deskWith(ids);
      // When a workspace disconnects, the job that deletes its data also reconciles its edits.
      if (desk === undefined) return;
      const { exchange } = await connectionOf(services, desk);
      await reconcileOpenEdits(services, guarded(exchange, context), context.signal);
      clearCachedContacts(services, exchange.account);
    },
    async giveUp(ids, error) {
      const desk = await services.store.credentials.deskWith(ids);
      if (desk !== undefined && !isDroplineError(error, 'not-connected')) await reconcileLater(services, desk);
    },
  });
}
