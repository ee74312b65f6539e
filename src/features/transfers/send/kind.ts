import { readContact } from '../../../exchange/index.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { expectStillValid } from '../checks.ts';
import { takeSnapshot } from '../history/entries.ts';
import type { Kind } from '../kind.ts';
import { type Send, sizeOfAll } from '../transfer.ts';
import { reviewExpired, reviewUsed } from './errors.ts';
import { emptyAccount, expectStillThere, progressOf, uploadAll } from './upload.ts';

export const sendKind: Kind<Send> = {
  name: 'send',
  auditedAs: 'send',
  texts: {
    noun: 'transfer',
    activity: 'is sending',
    dialog: { running: 'Sending', ended: 'Transfer', start: 'Sending.' },
    repeat: 'Repeats an earlier transfer.',
    // For an unknown outcome, the card already says what to do before sending it again.
    resendWarning: {
      failed: '. If you send it again before then, the recipients could get it twice.',
      unknown: '.',
    },
    tried: 'tried to send this',
    duplicate: {
      sender: 'If you send it again now, the recipients could get it twice.',
      approver: 'If you approve this, the recipients could get it twice.',
    },
    correction: {
      sent: "it was sent. Don't send it again.",
      again: 'you sent it again. Both were sent',
      earlier: 'Your earlier try was sent too',
      twice: 'so the recipients have it twice.',
    },
  },
  pausedBy: 'sending',
  listedAs: 'sent',
  isInHistory: true,
  doubtMessages: {
    'probably-not-sent': "The service didn't confirm it, and its history doesn't show this transfer.",
    'not-sent':
      "The service didn't confirm it, and its history still doesn't show this transfer. You can send it again.",
    unreadable:
      "The service didn't confirm it, and I couldn't check its history again. Ask a recipient before you send it again.",
    unknown:
      "The service didn't confirm it, and its history doesn't show whether it was sent. Ask a recipient before you send it again.",
  },
  needsApproval: () => true,
  expectAllowed: (services, actor) => expectAllowed(services, actor, 'send'),
  reviewExpired,
  reviewUsed,
  async prepare(services, exchange, transfer, signal) {
    const { files, recipients, progress } = transfer;
    const report = progressOf(services, transfer);
    report('checking', 0, 0);
    await expectStillValid(services, exchange, transfer, 'send');
    await emptyAccount(services, exchange, transfer);
    // Taken before the uploads, so that anything another client sends from now on counts as new. Also, there should be
    // no slow call between the last check of the files and the call that sends them.
    const snapshotBefore = await takeSnapshot(services, exchange, transfer);
    const { uploaded, scan } = await uploadAll(services, exchange, transfer, signal, report);
    const uploadedNames = uploaded.map(({ name }) => name);
    const isRenamed = uploadedNames.some((name, index) => name !== files[index]?.name);
    const snapshot = isRenamed
      ? await takeSnapshot(services, exchange, { ...transfer, progress: { ...progress, uploadedNames } })
      : snapshotBefore;
    report('committing', uploadedNames.length, sizeOfAll(files));
    await exchange.setReceivers(recipients.map(({ json }) => readContact(json)));
    await expectStillThere(exchange, uploaded);
    return { uploadedNames, snapshot, scan };
  },
  commit: (exchange, { expiresAfter, message }) => exchange.createDispatch({ expiresAfter, message }),
};
