import { createFieldErrors, type DroplineError } from '../../../../errors.ts';
import type { Actor, Services } from '../../../common/services.ts';
import type { Chosen } from '../../../contacts/list/ids.ts';
import { contactsOf } from '../../../contacts/operations.ts';
import { type ApprovalNotice, approvalNotice } from '../../approval/checks.ts';
import { expectRecipients, expectTimeAllowed } from '../../checks.ts';
import { type EarlierAttempt, earlierAttempts } from '../../duplicates.ts';
import { recipientsInHistory } from '../../history/operations.ts';
import { freeze } from '../../operations.ts';
import { expectRequestsOn, requestKind } from './kind.ts';

export interface RequestDraft extends Chosen {
  message: string;
  timeToLive: number;
  /** Errors of fields that couldn't be read. They are thrown with those of the other fields. */
  errors?: readonly DroplineError[];
}

export interface PreparedRequest {
  /** The id to confirm with; works once. */
  id: string;
  receivers: { email: string; number?: string | undefined }[];
  /** The request that this one could duplicate. */
  earlier: EarlierAttempt | undefined;
  /** Set if another person has to approve it. */
  approval: ApprovalNotice | undefined;
}

/** Freezes the contacts to ask, with groups expanded, for the review. Only these will be asked. */
export async function prepareRequest(services: Services, actor: Actor, draft: RequestDraft): Promise<PreparedRequest> {
  const { settings } = await expectRequestsOn(services, actor);
  const { message, timeToLive } = draft;
  const lists = await contactsOf(services, actor.workspace, { fresh: true });
  const errors = createFieldErrors(draft.errors);
  const contacts = errors.check(() => expectRecipients(settings, lists, draft, 'contact')) ?? [];
  errors.check(() => expectTimeAllowed(settings, timeToLive));
  errors.throwIfAny();
  const receivers = contacts.map(({ email, number, nick, json }) => ({ email, number, nick, json }));
  const earlier = await earlierAttempts(services, actor, 'grant', { receivers, files: [] });
  const details = {
    receivers,
    files: [],
    message,
    timeToLive,
    removeForeign: [],
    ...(earlier.length === 0 ? {} : { earlier: earlier.map((one) => one.id) }),
  };
  const { newRecipients, requests } = settings.policies.approval;
  const emails = receivers.map(({ email }) => email);
  const isAsked = newRecipients && requests;
  const earlierRecipients = isAsked ? await recipientsInHistory(services, actor.workspace, emails) : undefined;
  const hasNewRecipient = earlierRecipients && emails.some((email) => !earlierRecipients.has(email.toLowerCase()));
  const approval = await approvalNotice(services, settings, actor, 'grant', { ...details, hasNewRecipient });
  const reviewed = hasNewRecipient === undefined ? details : { ...details, hasNewRecipient };
  const id = await freeze(services, actor, requestKind, reviewed, { chosen: draft });
  return { id, receivers, earlier: earlier[0], approval };
}
