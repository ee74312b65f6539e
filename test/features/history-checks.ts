import { transferKinds } from '../../src/features/transfer-kinds.ts';
import { cardOf } from '../../src/features/transfers/cards/card.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { confirmRequest, prepareRequest } from '../../src/features/transfers/request/operations.ts';
import type { Transfer } from '../../src/features/transfers/transfer.ts';
import type { FaultKind } from '../../src/sandbox/exchange/index.ts';
import { anna, type FeaturesOptions, type FeaturesSetup, setUpFeatures, until } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

export interface HistoryCheckSetup extends FeaturesSetup {
  /** Sets whether the history shows new transfers. */
  showHistory(shows: 'nothing' | 'all'): void;
  /** Runs the next history check of the transfer now instead of in an hour. Returns the transfer afterwards. */
  runCheck(id: string): Promise<Transfer>;
}

const hour = 3_600_000;
const hourlyChecks = { lateCheckPausesMs: [hour, hour] };

/** Sets up a service that keeps uploads after sending, and workers that check the history twice more, an hour apart. */
export async function setUpHistoryChecks(
  postgres: TestPostgres,
  options: FeaturesOptions = {},
): Promise<HistoryCheckSetup> {
  const behaviour = { uploadsAfterDispatch: 'kept' as const, historyLag: 1_000_000 };
  const setup = await setUpFeatures(postgres, { server: { behaviour }, ...options });
  const { services, store, queue, server } = setup;
  const ownServices = { ...services, timing: { ...services.timing, ...hourlyChecks } };
  const readRun = async (id: string) => {
    const sql = "select payload ->> 'run' as run from graphile_worker._private_jobs where key = $1";
    const { rows } = await store.pool.query<{ run: string }>(sql, [`late-check ${id}`]);
    return rows[0]?.run;
  };
  return {
    ...setup,
    services: ownServices,
    startWorker: (more = {}) => setup.startWorker({ services: ownServices, ...more }),
    showHistory(shows) {
      server.behaviour.historyLag = shows === 'all' ? 0 : 1_000_000;
    },
    async runCheck(id) {
      const run = await readRun(id);
      if (run === undefined) throw new Error('the history is no longer checked for this transfer');
      await queue.retryNow(`late-check ${id}`);
      await until(async () => (await readRun(id)) !== run || undefined, 'the check to end');
      const transfer = await transfersIn(store).read(id);
      if (transfer === undefined) throw new Error('the transfer no longer exists');
      return transfer;
    },
  };
}

export const draft = { files: ['F1'], recipients: ['carl@example.org'], groups: [], message: 'Hi', expiresAfter: 7 };

/** Sends a file without getting an answer or a history entry. `kind` decides whether the service sent it. */
export async function sendWithLostAnswer(
  { server, send, sourceFiles }: HistoryCheckSetup,
  kind: FaultKind,
): Promise<Transfer> {
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  server.addFault({ operation: 'createdrop', kind });
  return send(anna, draft);
}

export const cardText = (transfer: Transfer) =>
  cardOf(transferKinds, { transfer: transfer as Transfer, unit: 'days' }).text;

export const outcomesOf = async ({ store }: HistoryCheckSetup, { id }: Transfer) =>
  (await store.audit.list('T1')).filter(({ reference }) => reference === id).map(({ outcome }) => outcome);

export const requestDraft = {
  recipients: ['carl@example.org'],
  groups: [],
  message: 'Please send the plans',
  expiresAfter: 3,
};

/** Requests files. The service sends the request, but its answer is lost. */
export async function requestWithLostAnswer({ services, server, untilEnded }: HistoryCheckSetup): Promise<Transfer> {
  server.addFault({ operation: 'givedrop', kind: 'reset-after' });
  const { reviewId: id } = await prepareRequest(services, anna, requestDraft);
  return untilEnded((await confirmRequest(services, anna, id)).id);
}
