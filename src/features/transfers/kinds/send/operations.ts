import { createHash } from 'node:crypto';
import { DroplineError } from '../../../../errors.ts';
import { audited } from '../../../common/audited.ts';
import type { Actor, Services } from '../../../common/services.ts';
import { expectAllowed } from '../../../settings/permission.ts';
import { type Confirmed, confirm, enqueue } from '../../operations.ts';
import { transfersIn } from '../../repository.ts';
import { sendKind } from './kind.ts';
import { prepareSend, type Review } from './prepare.ts';

export { prepareSend, type Review, type SendDraft } from './prepare.ts';

export function confirmSend(services: Services, actor: Actor, confirmation: string): Promise<Confirmed> {
  return audited(services, actor, 'confirm', async ({ note }) => {
    note({ dispatch: confirmation });
    return confirm(services, actor, sendKind, confirmation, ({ after }) =>
      after === undefined ? confirmation : followerOf(after),
    );
  });
}

/** Prepares the same transfer again, with or without some of its files: a new review to confirm. */
export async function prepareAgain(
  services: Services,
  actor: Actor,
  id: string,
  { without = [] }: { without?: readonly string[] } = {},
): Promise<Review> {
  const { details, state } = await endedTransfer(services, actor, id);
  const { receivers, files, message, timeToLive } = details;
  return prepareSend(services, actor, {
    receivers: receivers.map(({ email }) => email),
    groups: [],
    files: files.filter(({ name }) => !without.includes(name)).map((file) => file.id),
    message,
    timeToLive,
    ...(state === 'sent' ? {} : { after: id }),
  });
}

async function endedTransfer(services: Services, actor: Actor, id: string) {
  const transfer = await transfersIn(services.store).read(id);
  if (transfer?.workspace !== actor.workspace || transfer.person !== actor.person || transfer.details === undefined) {
    throw new DroplineError('not-found', 'There is no such dispatch of yours (any more).');
  }
  if (transfer.endedAt === undefined) throw new DroplineError('invalid', 'It has not ended yet.');
  return { ...transfer, details: transfer.details };
}

/** An admin has reviewed the unexpected files that blocked a transfer: deletes them, then sends what was confirmed. */
export function removeUnexpectedAndSend(services: Services, admin: Actor, id: string): Promise<Confirmed> {
  return audited(services, admin, 'remove foreign files', async ({ note }) => {
    await expectAllowed(services, admin, 'admin');
    const stopped = await transfersIn(services.store).read(id);
    const { result } = stopped?.details ?? {};
    if (stopped?.details === undefined || stopped.workspace !== admin.workspace || result?.code !== 'foreign-files') {
      throw new DroplineError('not-found', 'No dispatch waits for foreign files to be removed.');
    }
    note({ dispatch: id, removed: result.names });
    const { receivers, files, message, timeToLive } = stopped.details;
    const details = { receivers, files, message, timeToLive, removeForeign: result.names, after: id };
    const follower = followerOf(id);
    const sender = { workspace: admin.workspace, person: stopped.person };
    const ahead = await enqueue(services, sender, sendKind, { id: follower, details });
    return { id: follower, details, ahead };
  });
}

/** The same id for every click, by the sender or an admin, so that an unsent transfer is retried only once. */
function followerOf(id: string): string {
  const hex = createHash('sha256').update(`after ${id}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
