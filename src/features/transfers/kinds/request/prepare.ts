import { createFieldErrors, type DroplineError } from '../../../../errors.ts';
import type { Actor, Services } from '../../../common/services.ts';
import type { Chosen } from '../../../contacts/list/ids.ts';
import { contactsOf } from '../../../contacts/operations.ts';
import { type Pauses, pausesIn } from '../../../settings/pause/repository.ts';
import { type ApprovalNotice, approvalNotice } from '../../approval/checks.ts';
import { expectExpiry, expectRecipients, expectRepeatable } from '../../checks.ts';
import { type EarlierAttempt, earlierAttempts } from '../../duplicates.ts';
import { everythingArrived } from '../../errors.ts';
import { recipientsInHistory } from '../../history/operations.ts';
import { freeze, readRepeatable } from '../../operations.ts';
import type { OpenTransfer } from '../../repository.ts';
import { missingPoints, requestDetails, typedRequest } from './checklist/fields.ts';
import { expectRequestsOn, requestKind } from './kind.ts';

export interface RequestDraft extends Chosen {
  message: string;
  timeToLive: number;
  /** Set if a date was entered. Then `timeToLive` isn't used. */
  expiryDate?: string | undefined;
  /** The points of the checklist. */
  points?: readonly string[];
  /** The request that this one repeats. */
  repeats?: OpenTransfer | undefined;
  /** Whether contacts who can't be asked any longer are left out, with a notice. */
  skipsUnavailable?: boolean;
  /** Errors of fields that couldn't be read. They are thrown with those of the other fields. */
  errors?: readonly DroplineError[];
}

export interface PreparedRequest {
  /** The id to confirm with; works once. */
  id: string;
  receivers: { email: string; number?: string | undefined; nick?: string | undefined }[];
  message: string;
  points: readonly string[];
  timeToLive: number;
  expiryDate?: string | undefined;
  /** When the request was confirmed that this one repeats. */
  repeatsFrom: Date | undefined;
  /** What a repeated request leaves out. */
  notices: readonly string[];
  /** The request that this one could duplicate. */
  earlier: EarlierAttempt | undefined;
  /** Set if another person has to approve it. */
  approval: ApprovalNotice | undefined;
  pauses?: Pauses | undefined;
  /** Whether the person can end a pause. */
  canResume?: boolean | undefined;
}

/** Freezes the contacts to ask, with groups expanded, for the review. Only these will be asked. */
export async function prepareRequest(services: Services, actor: Actor, draft: RequestDraft): Promise<PreparedRequest> {
  const { settings, isAdmin } = await expectRequestsOn(services, actor);
  const { message, points = [], repeats } = draft;
  const lists = await contactsOf(services, actor.workspace, { fresh: true });
  const zone = await services.people.zoneOf(actor);
  const { chosen, notices, ...expiry } = draft.skipsUnavailable
    ? expectRepeatable(settings, lists, draft, zone)
    : { chosen: draft, timeToLive: draft.timeToLive, expiryDate: draft.expiryDate, notices: [] };
  const { expiryDate } = expiry;
  const errors = createFieldErrors(draft.errors);
  const contacts = errors.check(() => expectRecipients(settings, lists, chosen, 'contact')) ?? [];
  const timeToLive = errors.check(() => expectExpiry(settings, expiry, zone)) ?? Number.NaN;
  const request = errors.check(() => requestDetails(message, points)) ?? { message };
  errors.throwIfAny();
  const receivers = contacts.map(({ email, number, nick, json }) => ({ email, number, nick, json }));
  const earlier = await earlierAttempts(services, actor, 'grant', { receivers, files: [] }, repeats);
  const details = {
    receivers,
    files: [],
    ...request,
    timeToLive,
    ...(expiryDate === undefined ? {} : { expiryDate }),
    removeForeign: [],
    ...(repeats === undefined ? {} : { repeats: repeats.id }),
    ...(earlier.length === 0 ? {} : { earlier: earlier.map((one) => one.id) }),
  };
  const { newRecipients, requests } = settings.policies.approval;
  const emails = receivers.map(({ email }) => email);
  const isAsked = newRecipients && requests;
  const earlierRecipients = isAsked ? await recipientsInHistory(services, actor.workspace, emails) : undefined;
  const hasNewRecipient = earlierRecipients && emails.some((email) => !earlierRecipients.has(email.toLowerCase()));
  const approval = await approvalNotice(services, settings, actor, 'grant', { ...details, hasNewRecipient });
  const reviewed = hasNewRecipient === undefined ? details : { ...details, hasNewRecipient };
  const id = await freeze(services, actor, requestKind, reviewed, { chosen });
  const pauses = await pausesIn(services.store).read(actor.workspace);
  const shown = { receivers, message, points, timeToLive, expiryDate, notices, repeatsFrom: repeats?.createdAt };
  return { ...shown, id, earlier: earlier[0], approval, pauses, canResume: isAdmin };
}

/** Prepares the same request again, as a new review to confirm. Of a checklist, it has only what is missing. */
export async function prepareRequestAgain(services: Services, actor: Actor, id: string): Promise<PreparedRequest> {
  await expectRequestsOn(services, actor);
  const repeats = await readRepeatable(services, actor, requestKind, id);
  const { receivers, timeToLive, expiryDate, checklist } = repeats.details;
  const points = checklist === undefined ? [] : missingPoints(checklist);
  if (checklist !== undefined && points.length === 0) throw everythingArrived();
  const { message } = typedRequest(repeats.details);
  const chosen = { receivers: receivers.map(({ email }) => email), groups: [] };
  const entered = { ...chosen, message, points, timeToLive, expiryDate };
  return prepareRequest(services, actor, { ...entered, repeats, skipsUnavailable: true });
}
