import { Readable } from 'node:stream';
import { jobKind } from '../../../jobs/index.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import { exactBytes } from '../../../lib/exact-bytes.ts';
import type { Digest } from '../../../lib/hashed.ts';
import { audited } from '../../common/audited.ts';
import type { Actor, Services } from '../../common/services.ts';
import { expectNotPaused } from '../../pause/checks.ts';
import { InfectedError } from '../../scanning/errors.ts';
import {
  expectContentAllowed,
  expectScannable,
  passTo,
  relayScanned,
  type ScanResult,
  type Sink,
  type Tap,
} from '../../scanning/operations.ts';
import { expectFilesAllowed } from '../../settings/policies/checks.ts';
import { readSettings } from '../../settings/repository.ts';
import { changedSinceReview, notWaiting } from '../approval/errors.ts';
import { readForApprover } from '../approval/operations.ts';
import { expectSameBytes, expectUnchanged } from '../checks.ts';
import { transferNotFound } from '../errors.ts';
import { filesOf, type Transfer, type TransferFile } from '../transfer.ts';

export const openFileKind = jobKind('open-file', ['workspace', 'person', 'transfer', 'file'], {
  attempts: 6,
  slots: 'long',
});

/** Queues a copy of each file for an approver. Queues nothing if the transfer no longer waits for approval. */
export function askForFiles(services: Services, actor: Actor, id: string): Promise<Transfer> {
  return audited(services, actor, 'open file', async ({ addDetails, skipEntry }) => {
    addDetails({ transfer: id });
    const transfer = await readForApprover(services, actor, id);
    const { workspace, person } = actor;
    await expectNotPaused(services, transfer, 'downloads');
    // One after the other, so that one click doesn't take all slots of the workspace.
    const queue = `open-file ${workspace} ${person}`;
    for (const { id: file } of transfer.state === 'approval' ? filesOf(transfer) : []) {
      const key = `open-file ${id} ${file} ${person}`;
      await services.queue.add(openFileKind, { workspace, person, transfer: id, file }, { queue, key });
    }
    skipEntry();
    return transfer;
  });
}

/** The ids of a transfer and of one of its files in Slack. */
export interface OpenedFile {
  id: string;
  file: string;
}

/** Rejects unless the person can have a copy of the file now, and the file is still the reviewed one. */
export async function expectOpenable(
  services: Services,
  actor: Actor,
  { id, file: fileId }: OpenedFile,
  signal: AbortSignal,
): Promise<{ transfer: Transfer; file: TransferFile }> {
  const { workspace, person } = actor;
  const transfer = await readForApprover(services, actor, id);
  if (transfer.state !== 'approval' && transfer.approval?.decision?.by !== person) throw notWaiting();
  await expectNotPaused(services, transfer, 'downloads');
  const file = filesOf(transfer).find((one) => one.id === fileId);
  if (file === undefined) throw transferNotFound();
  const settings = await readSettings(services, transfer);
  expectFilesAllowed(settings, [file]);
  await expectScannable(services, settings, [file]);
  await expectUnchanged(services, workspace, file, signal).catch(throwForApprover);
  return { transfer, file };
}

/** Streams a file of a transfer to an approver, with the checks and the scan that it gets when it is sent. */
export async function openFile(
  services: Services,
  actor: Actor,
  opened: OpenedFile,
  sink: Sink,
  { signal, browserOf }: { signal: AbortSignal; browserOf?: string },
): Promise<ScanResult> {
  const { workspace } = actor;
  const { transfer, file } = await expectOpenable(services, actor, opened, signal);
  const { id, name, size } = file;
  const relay = async (tap: Tap) => {
    const source = await expectContentAllowed(
      services,
      transfer,
      file,
      await services.sources.open(workspace, id, signal),
    );
    // The upload to Slack counts the bytes itself.
    const whole = browserOf === undefined ? source : Readable.from(exactBytes(size, source), { objectMode: false });
    await passTo(sink, file, whole, tap);
  };
  const onDigest = (digest: Digest) => expectSameBytes(services, transfer.id, file, digest);
  return relayScanned(
    services,
    { workspace, account: transfer.account, name, browserOf, onDigest, signal },
    relay,
  ).catch(async (error: unknown) => {
    if (error instanceof InfectedError) {
      const { person } = transfer;
      await services.notifier.alarm(transfer, {
        kind: 'malware',
        direction: 'sent',
        person,
        message: error.message,
      });
    }
    throwForApprover(error);
  });
}

/** The error of a changed file is written for the sender. */
function throwForApprover(error: unknown): never {
  throw isDroplineError(error, 'changed') ? changedSinceReview() : error;
}

/** Streams a file to an approver's browser. */
export function openInBrowser(
  services: Services,
  actor: Actor,
  { name, ...opened }: OpenedFile & { name: string },
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  return audited(services, actor, 'open file', async ({ addDetails, recordEffect }) => {
    addDetails({ transfer: opened.id, files: [{ name }] });
    await openFile(services, actor, opened, sink, { signal, browserOf: actor.person });
    await recordEffect();
  });
}
