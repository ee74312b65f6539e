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
import { readRepeatable, storeReview } from '../../operations.ts';
import type { TransferWithDetails } from '../../repository.ts';
import { missingPoints, requestDetails, typedRequest } from './checklist/fields.ts';
import { expectRequestsOn, requestKind } from './kind.ts';

export interface RequestDraft extends Chosen {
  message: string;
  expiresAfter: number;
  /** Set if a date was entered. Then `expiresAfter` isn't used. */
  expiryDate?: string | undefined;
  /** The points of the checklist. */
  points?: readonly string[];
  /** The request that this one repeats. */
  repeats?: TransferWithDetails | undefined;
  /** Leaves out contacts who can't be asked any longer and adjusts an expiry that isn't allowed, with notices. */
  skipsUnavailable?: boolean;
  /** Errors of fields that couldn't be read. They are thrown with those of the other fields. */
  errors?: readonly DroplineError[];
}

export interface PreparedRequest {
  /** The id to confirm with; works once. */
  id: string;
  recipients: { email: string; number?: string | undefined; nick?: string | undefined }[];
  message: string;
  points: readonly string[];
  expiresAfter: number;
  expiryDate?: string | undefined;
  /** When the request that this one repeats was confirmed. */
  repeatsFrom: Date | undefined;
  /** What a repeated request leaves out or changes. */
  notices: readonly string[];
  /** The request that this one could duplicate. */
  earlier: EarlierAttempt | undefined;
  /** Set if another person has to approve it. */
  approval: ApprovalNotice | undefined;
  pauses?: Pauses | undefined;
  /** Whether the person can end a pause. */
  canResume?: boolean | undefined;
}

/** Stores a review with the contacts to ask, with groups expanded. Only these will be asked. */
export async function prepareRequest(services: Services, actor: Actor, draft: RequestDraft): Promise<PreparedRequest> {
  const { settings, isAdmin } = await expectRequestsOn(services, actor);
  const { message, points = [], repeats } = draft;
  const lists = await contactsOf(services, actor.workspace, { fresh: true });
  const zone = await services.people.zoneOf(actor);
  const { chosen, notices, ...expiry } = draft.skipsUnavailable
    ? expectRepeatable(settings, lists, draft, zone)
    : { chosen: draft, expiresAfter: draft.expiresAfter, expiryDate: draft.expiryDate, notices: [] };
  const { expiryDate } = expiry;
  const errors = createFieldErrors(draft.errors);
  const contacts = errors.check(() => expectRecipients(settings, lists, chosen, 'contact')) ?? [];
  const expiresAfter = errors.check(() => expectExpiry(settings, expiry, zone)) ?? Number.NaN;
  const request = errors.check(() => requestDetails(message, points)) ?? { message };
  errors.throwIfAny();
  const recipients = contacts.map(({ email, number, nick, json }) => ({ email, number, nick, json }));
  const earlier = await earlierAttempts(services, actor, 'request', { recipients, files: [] }, repeats);
  const details = {
    recipients,
    files: [],
    ...request,
    expiresAfter,
    ...(expiryDate === undefined ? {} : { expiryDate }),
    removeUnexpected: [],
    ...(repeats === undefined ? {} : { repeats: repeats.id }),
    ...(earlier.length === 0 ? {} : { earlier: earlier.map((one) => one.id) }),
  };
  const { newRecipients, requests } = settings.policies.approval;
  const emails = recipients.map(({ email }) => email);
  const needsHistory = newRecipients && requests;
  const earlierRecipients = needsHistory ? await recipientsInHistory(services, actor.workspace, emails) : undefined;
  const hasNewRecipient = earlierRecipients && emails.some((email) => !earlierRecipients.has(email.toLowerCase()));
  const approval = await approvalNotice(services, settings, actor, 'request', { ...details, hasNewRecipient });
  const reviewed = hasNewRecipient === undefined ? details : { ...details, hasNewRecipient };
  const id = await storeReview(services, actor, requestKind, reviewed, chosen);
  const pauses = await pausesIn(services.store).read(actor.workspace);
  const shownFields = {
    recipients,
    message,
    points,
    expiresAfter,
    expiryDate,
    notices,
    repeatsFrom: repeats?.createdAt,
  };
  return { ...shownFields, id, earlier: earlier[0], approval, pauses, canResume: isAdmin };
}

/** Prepares a request again, as a new review to confirm. Its checklist has only the points that are missing. */
export async function prepareRequestAgain(services: Services, actor: Actor, id: string): Promise<PreparedRequest> {
  await expectRequestsOn(services, actor);
  const repeats = await readRepeatable(services, actor, requestKind, id);
  const { recipients, expiresAfter, expiryDate, checklist } = repeats.details;
  const points = checklist === undefined ? [] : missingPoints(checklist);
  if (checklist !== undefined && points.length === 0) throw everythingArrived();
  const { message } = typedRequest(repeats.details);
  const chosen = { recipients: recipients.map(({ email }) => email), groups: [] };
  const entered = { ...chosen, message, points, expiresAfter, expiryDate };
  return prepareRequest(services, actor, { ...entered, repeats, skipsUnavailable: true });
}
