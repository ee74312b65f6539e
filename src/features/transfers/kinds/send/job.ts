import { readContact } from '../../../../exchange/index.ts';
import { type JobHandler, jobKind } from '../../../../jobs/index.ts';
import type { Services } from '../../../common/services.ts';
import { expectUnchanged } from '../../checks.ts';
import { type TransferSteps, transferAttempts, transferJob } from '../../job.ts';
import { takeSnapshot } from '../../shown.ts';
import { expectOnlyOurs } from './checks.ts';
import { expectStillThere, progressOf, uploadAll } from './upload.ts';

export const dispatching = jobKind('dispatch', ['transfer'], { attempts: transferAttempts, isLong: true });

export const sendJob = (services: Services): JobHandler => transferJob(services, dispatching, sendSteps);

const sendSteps: TransferSteps = {
  async prepare(services, exchange, transfer, signal) {
    const { details } = transfer;
    const report = progressOf(services, transfer);
    report('checking', 0, 0);
    await expectUnchanged(services, exchange, transfer, signal);
    await expectOnlyOurs(services, exchange, transfer);
    // Taken before the uploads, so that anything sent from the account from now on, by any program, counts as new. This
    // also keeps slow calls out of the gap between the last check of the files and the call that sends them.
    const early = await takeSnapshot(services, exchange, transfer);
    const uploaded = await uploadAll(services, exchange, transfer, signal, report);
    const given = uploaded.map(({ name }) => name);
    const isRenamed = given.some((name, index) => name !== details.files[index]?.name);
    const snapshot = isRenamed
      ? await takeSnapshot(services, exchange, { ...transfer, details: { ...details, given } })
      : early;
    report(
      'committing',
      given.length,
      details.files.reduce((sum, { size }) => sum + size, 0),
    );
    await exchange.setReceivers(details.receivers.map(({ json }) => readContact(json)));
    await expectStillThere(exchange, uploaded);
    return { given, snapshot };
  },
  commit: (exchange, { details: { timeToLive, message } }) => exchange.createDispatch({ timeToLive, message }),
};
