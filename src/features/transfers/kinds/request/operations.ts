import { randomUUID } from 'node:crypto';
import { DroplineError } from '../../../../errors.ts';
import { accountQueue } from '../../../../jobs/index.ts';
import { inTransaction } from '../../../../store/index.ts';
import { audited } from '../../../common/audited.ts';
import { connectionOf } from '../../../common/connection/connection.ts';
import type { Actor, Services } from '../../../common/services.ts';
import type { Chosen } from '../../../contacts/list/ids.ts';
import { contactsOf } from '../../../contacts/operations.ts';
import { expandRecipients } from '../../../recipients/operations.ts';
import { expectAllowed, type Standing } from '../../../settings/permission.ts';
import { expectReleased } from '../../holds.ts';
import { transfersIn } from '../../repository.ts';
import { expectRecipientsAllowed, expectTimeAllowed } from '../send/rules.ts';
import { granting } from './job.ts';

export interface RequestDraft extends Chosen {
  message: string;
  timeToLive: number;
  /** Stays the same if a form is submitted twice, so that contacts are asked once. */
  id?: string | undefined;
  /** What the person was shown: a number that changed since then can be another person's. */
  seen?: readonly { email: string; number?: string | undefined }[];
  /** The transfers that this could duplicate. The person was warned. */
  earlier?: string[] | undefined;
}

export async function expectRequestsOn(services: Services, actor: Actor): Promise<Standing> {
  const standing = await expectAllowed(services, actor, 'request');
  if (standing.settings.requests) return standing;
  throw new DroplineError(
    'switched-off',
    'Requests for files are switched off. An admin can switch them on in the settings.',
  );
}

/** Adds a job that gives contacts upload access for a limited time. Resolves with the request's id. */
export function requestFiles(services: Services, actor: Actor, draft: RequestDraft): Promise<string> {
  return audited(services, actor, 'ask for files', async ({ note }) => {
    const { settings } = await expectRequestsOn(services, actor);
    const { store, queue } = services;
    const { id = randomUUID(), message, timeToLive, earlier } = draft;
    const contacts = expandRecipients(await contactsOf(services, actor.workspace, { fresh: true }), draft);
    if (contacts.length === 0)
      throw new DroplineError('invalid', 'Choose at least one contact.', { field: 'receivers' });
    expectAsSeen(contacts, draft.seen);
    expectRecipientsAllowed(settings, contacts);
    expectTimeAllowed(settings, timeToLive);
    const { account } = (await connectionOf(services, actor.workspace)).exchange;
    await expectReleased(store.pool, account);
    const receivers = contacts.map(({ email, number, nick, json }) => ({ email, number, nick, json }));
    note({ request: id, contacts: receivers.map(({ email }) => email) });
    const details = { receivers, files: [], message, timeToLive, removeForeign: [], earlier };
    await inTransaction(store.pool, async (client) => {
      if (!(await transfersIn(store).insert(client, { id, kind: 'grant', ...actor, account, details }))) {
        throw new DroplineError('used', 'This was asked before; it is asked once.');
      }
      const where = { queue: accountQueue('outgoing', account), key: `grant ${id}`, within: client };
      await queue.add(granting, { transfer: id }, where);
    });
    return id;
  });
}

function expectAsSeen(contacts: readonly { email: string; number?: string | undefined }[], seen: RequestDraft['seen']) {
  if (seen === undefined) return;
  const numbers = new Map(seen.map(({ email, number }) => [email, number ?? '']));
  const changed = contacts.filter(({ email, number }) => numbers.get(email) !== (number ?? ''));
  if (changed.length === 0) return;
  const names = changed.map(({ email }) => email);
  throw new DroplineError('changed', `Changed since you saw it: ${names.join(', ')}. Look at it again.`, { names });
}
