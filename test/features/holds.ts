import { connect } from '../../src/features/account/connect/operations.ts';
import { leaveJob } from '../../src/features/account/leave/jobs.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import type { JobContext } from '../../src/jobs/index.ts';
import { idsOfDesk } from '../../src/store/index.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { admin, anna, setUpFeatures } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

export const draft = { files: ['F1'], recipients: ['carl@example.org'] };
export const fullDraft = { ...draft, groups: [], message: '', expiresAfter: 7 };

/** Starts a transfer whose worker stops while committing. `kind` decides whether the service sends it. */
export async function stopWhileCommitting(postgres: TestPostgres, kind: 'hang' | 'hang-after') {
  const setup = await setUpFeatures(postgres);
  const { services, server, account, sourceFiles, startWorker } = setup;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const lost = server.addFault({ operation: 'createdrop', kind });
  const { reviewId: id } = await prepareSend(services, anna, fullDraft);
  await confirmSend(services, anna, id);
  const runner = await startWorker();
  await lost.triggered;
  await runner.stop(0);
  return { ...setup, id, accountId: `${server.url}/${account.user}` };
}

/** Starts a transfer whose worker stops while committing. Then its workspace is deleted and connected again. */
export async function deleteWhileCommitting(postgres: TestPostgres) {
  const setup = await stopWhileCommitting(postgres, 'hang');
  const { services, server, accountId } = setup;
  const desk = { workspace: 'T1', account: accountId };
  const failure = new Error('too many attempts');
  await leaveJob(services).giveUp({ ...idsOfDesk(desk), how: 'uninstall' }, failure, {} as JobContext);
  await connect(services, admin, { baseUrl: server.url, username: user, apiKey });
  return setup;
}
