import { referenceOf } from '../../errors.ts';
import type { Services } from '../services.ts';
import { keepHold, letGo } from './holds.ts';
import {
  ledgerOf,
  type Result,
  type Transfer,
  type TransferDetails,
  type TransferKind,
  type TransferState,
} from './ledger.ts';

export type End = 'sent' | 'failed' | 'cancelled' | 'not-sent' | 'unknown';

const states: Record<End, TransferState> = {
  sent: 'sent',
  failed: 'failed',
  cancelled: 'cancelled',
  'not-sent': 'failed',
  unknown: 'unknown',
};

const sentences: Record<TransferKind, Partial<Record<End, string>>> = {
  dispatch: {
    'not-sent': 'The service did not answer, and its history says that nothing was sent. You can send it again.',
    unknown:
      'The service did not answer, and its history does not tell whether it was sent. Ask a receiver before you send it again.',
  },
  grant: {
    'not-sent': 'The service did not answer, and its history says that nobody was asked. You can ask again.',
    unknown:
      'The service did not answer, and its history does not tell whether they were asked. Ask one of them before you ask again.',
  },
};

function usualResult(kind: TransferKind, end: End): Result | undefined {
  const sentence = sentences[kind][end];
  return sentence === undefined ? undefined : { code: end, sentence, names: [] };
}

/**
 * Writes the end of a transfer down, in the audit too, and lets the account go on: all or nothing. It does not go on where
 * nobody knows whether a dispatch was sent, or where something else was sent than what was confirmed.
 */
export async function endTransfer(
  { store, log }: Pick<Services, 'store' | 'log'>,
  transfer: Transfer,
  end: End,
  result?: Result,
): Promise<void> {
  const ended = await ledgerOf(store).change(
    transfer.id,
    async ({ id, workspace, person, account, kind, details }, client) => {
      if (end === 'unknown' && kind === 'dispatch') await keepHold(client, account, id, 'unknown');
      else if (details.difference !== undefined) await keepHold(client, account, id, 'difference');
      else await letGo(client, account, id);
      const why = result ?? usualResult(kind, end);
      const outcome = outcomeOf(end, details);
      const audited = {
        files: details.files.map(({ name, size }) => ({ name, size })),
        receivers: details.receivers.map(({ email }) => email),
        result: why ?? details.result,
        difference: details.difference,
      };
      await store.audit.note({ workspace, person, act: kind, outcome, reference: id, details: audited }, client);
      return { state: states[end], ended: true, details: why === undefined ? {} : { result: why } };
    },
  );
  if (ended === undefined) return;
  const { id, workspace, person, kind } = transfer;
  const outcome = outcomeOf(end, ended.details);
  const reason = ended.details.result?.code;
  const line = {
    workspace,
    person,
    operation: kind,
    reference: referenceOf(id),
    transfer: id,
    outcome,
    ...(reason !== undefined && { reason }),
  };
  // Names of files and recipients stay out of it: they are in the audit.
  if (end === 'sent' || end === 'cancelled') log.info(line, 'transfer ended');
  else log.warn(line, 'transfer ended');
}

const outcomeOf = (end: End, { difference }: TransferDetails) =>
  end === 'sent' && difference !== undefined ? 'difference' : end;

/** Tells whoever waits how it ended, once; repeated until that succeeds. */
export async function tellEnd(services: Services, id: string): Promise<void> {
  const { audience, store } = services;
  const transfer = await ledgerOf(store).read(id);
  if (transfer?.endedAt === undefined || transfer.toldAt !== undefined) return;
  const { workspace, person, details, state, kind } = transfer;
  const { difference } = details ?? {};
  // First whoever sent it: that no admin can be told yet must not keep it from them.
  await audience.transferEnded({ workspace, id });
  if (difference !== undefined) {
    const { sentence, names } = difference;
    await audience.alarm(workspace, { kind: 'difference', transfer: id, person, sentence, names });
  }
  // Of a request its own card says so: nothing is on hold because of it.
  if (state === 'unknown' && kind === 'dispatch')
    await audience.alarm(workspace, { kind: 'outcome-unknown', transfer: id, person });
  await ledgerOf(store).told(id);
}
