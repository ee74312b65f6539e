import { readContact } from '../../../../exchange/index.ts';
import { type JobHandler, jobKind } from '../../../../jobs/index.ts';
import type { Services } from '../../../common/services.ts';
import { expectStillValid } from '../../checks.ts';
import { takeSnapshot } from '../../history/entries.ts';
import { type TransferSteps, transferAttempts, transferJob } from '../../jobs.ts';
import { emptyAccount, expectStillThere, progressOf, uploadAll } from './upload.ts';

export const sendJobKind = jobKind('send', ['transfer'], { attempts: transferAttempts, slots: 'long' });

export const sendJob = (services: Services): JobHandler => transferJob(services, sendJobKind, sendSteps);

const sendSteps: TransferSteps = {
  async prepare(services, exchange, transfer, signal) {
    const { details } = transfer;
    const report = progressOf(services, transfer);
    report('checking', 0, 0);
    await expectStillValid(services, exchange, transfer);
    await emptyAccount(services, exchange, transfer);
    // Taken before the uploads, so that anything another client sends from now on counts as new. Also, there should be
    // no slow call between the last check of the files and the call that sends them.
    const snapshotBefore = await takeSnapshot(services, exchange, transfer);
    const { uploaded, scan } = await uploadAll(services, exchange, transfer, signal, report);
    const uploadedNames = uploaded.map(({ name }) => name);
    const isRenamed = uploadedNames.some((name, index) => name !== details.files[index]?.name);
    const snapshot = isRenamed
      ? await takeSnapshot(services, exchange, { ...transfer, details: { ...details, uploadedNames } })
      : snapshotBefore;
    report(
      'committing',
      uploadedNames.length,
      details.files.reduce((sum, { size }) => sum + size, 0),
    );
    await exchange.setReceivers(details.recipients.map(({ json }) => readContact(json)));
    await expectStillThere(exchange, uploaded);
    return { uploadedNames, snapshot, ...(scan && { scan }) };
  },
  commit: (exchange, { details: { expiresAfter, message } }) => exchange.createDispatch({ expiresAfter, message }),
};
