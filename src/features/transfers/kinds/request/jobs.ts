import { readContact } from '../../../../exchange/index.ts';
import { type JobHandler, jobKind } from '../../../../jobs/index.ts';
import type { Services } from '../../../common/services.ts';
import { expectStillValid } from '../../checks.ts';
import { takeSnapshot } from '../../history/entries.ts';
import { type TransferSteps, transferAttempts, transferJob } from '../../jobs.ts';
import { requestsTurnedOff } from './errors.ts';

export const requestJobKind = jobKind('request', ['transfer'], { attempts: transferAttempts, slots: 'long' });

export const requestJob = (services: Services): JobHandler => transferJob(services, requestJobKind, requestSteps);

/** As we understand the API, everyone set as a recipient gets access. Files on the account don't matter. */
const requestSteps: TransferSteps = {
  async prepare(services, exchange, transfer) {
    const { settings } = await expectStillValid(services, exchange, transfer, 'request');
    if (!settings.requests) throw requestsTurnedOff();
    const snapshot = await takeSnapshot(services, exchange, transfer);
    await exchange.setReceivers(transfer.details.recipients.map(({ json }) => readContact(json)));
    return { snapshot };
  },
  commit: (exchange, { details: { expiresAfter, message } }) => exchange.grantAccess({ expiresAfter, message }),
};
