import { readContact } from '../../../exchange/index.ts';
import type { Actor, Services } from '../../common/services.ts';
import { type Access, expectAllowed } from '../../settings/permission.ts';
import { expectStillValid } from '../checks.ts';
import { takeSnapshot } from '../history/entries.ts';
import type { Kind } from '../kind.ts';
import type { FileRequest } from '../transfer.ts';
import { requestsOff, requestsTurnedOff, reviewExpired, reviewUsed } from './errors.ts';

export async function expectRequestsOn(services: Services, actor: Actor): Promise<Access> {
  const access = await expectAllowed(services, actor, 'request');
  if (!access.settings.requests) throw requestsOff();
  return access;
}

const askAgainWarning = '. If you ask again before then, they could be asked twice.';

/** As we understand the API, everyone set as a recipient gets access. Files on the account don't matter. */
export const requestKind: Kind<FileRequest> = {
  name: 'request',
  auditedAs: 'request',
  texts: {
    noun: 'file request',
    activity: 'is requesting files',
    dialog: { running: 'Requesting', ended: 'Request', start: 'Sending the request.' },
    // A follow-up can have fewer points and other contacts than the first request.
    repeat: 'Follow-up to an earlier request.',
    resendWarning: { failed: askAgainWarning, unknown: askAgainWarning },
    tried: 'tried to ask them',
    duplicate: {
      sender: 'If you ask again now, they could be asked twice.',
      approver: 'If you approve this, they could be asked twice.',
    },
    correction: {
      sent: "they were asked. Don't ask again.",
      again: 'you asked again. Both requests went out',
      earlier: 'Your earlier request went out too',
      twice: 'so they were asked twice.',
    },
  },
  pausedBy: 'requests',
  listedAs: 'requests',
  // The API doesn't promise that requests appear in the history.
  isInHistory: false,
  doubtMessages: {
    unknown:
      "The service didn't confirm it, and its history doesn't show whether the request was sent. Ask a recipient before you send it again.",
  },
  needsApproval: ({ requests }) => requests,
  expectAllowed: expectRequestsOn,
  reviewExpired,
  reviewUsed,
  async prepare(services, exchange, transfer) {
    const { settings } = await expectStillValid(services, exchange, transfer, 'request');
    if (!settings.requests) throw requestsTurnedOff();
    const snapshot = await takeSnapshot(services, exchange, transfer);
    await exchange.setReceivers(transfer.recipients.map(({ json }) => readContact(json)));
    return { snapshot };
  },
  commit: (exchange, { expiresAfter, message }) => exchange.grantAccess({ expiresAfter, message }),
};
