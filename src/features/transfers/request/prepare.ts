import type { Actor } from '../../common/services.ts';
import { approvalOf } from '../../settings/approval.ts';
import { messageWithPoints, typedRequest } from '../checklist/fields.ts';
import { everythingArrived } from '../errors.ts';
import { recipientsInHistory } from '../history/operations.ts';
import type { TransferServices } from '../kind.ts';
import { readRepeatable } from '../lifecycle/operations.ts';
import { checkEntered, type Entered, type StoredReview, storeChecked } from '../lifecycle/review.ts';
import type { FileRequest, RequestContent, TransferRecipient } from '../transfer.ts';
import { missingPoints } from '../transfer.ts';
import { expectRequestsOn, requestKind } from './kind.ts';

export interface RequestDraft extends Entered {
  /** The points of the checklist. */
  points?: readonly string[];
  /** The request that this one repeats. */
  repeats?: FileRequest;
  /** Leaves out contacts who can't be asked any longer and adjusts an expiry that isn't allowed, with notices. */
  skipsUnavailable?: boolean;
}

export interface PreparedRequest extends StoredReview {
  recipients: readonly TransferRecipient[];
  message: string;
  points: readonly string[];
  expiresAfter: number;
  expiryDate?: string;
  /** When the request that this one repeats was confirmed. */
  repeatsFrom: Date | undefined;
  /** What a repeated request leaves out or changes. */
  notices: string[];
}

/** Stores a review with the contacts to ask, with groups expanded. Only these will be asked. */
export async function prepareRequest(
  services: TransferServices,
  actor: Actor,
  draft: RequestDraft,
): Promise<PreparedRequest> {
  const { message, points = [], repeats, skipsUnavailable: isRepeat = false } = draft;
  const access = await expectRequestsOn(services, actor);
  const checked = await checkEntered(services, actor, access.settings, draft, { noun: 'contact', isRepeat });
  const { chosen, recipients, expiry, notices, errors } = checked;
  const texts = errors.check(() => messageWithPoints(message, points)) ?? { message };
  errors.throwIfAny();
  const { newRecipients, requests } = approvalOf(access.settings);
  const emails = recipients.map(({ email }) => email);
  const asked = newRecipients && requests ? await recipientsInHistory(services, actor, emails) : undefined;
  const hasNewRecipient = asked && emails.some((email) => !asked.has(email.toLowerCase()));
  const content: RequestContent = {
    kind: 'request',
    recipients,
    ...texts,
    ...expiry,
    hasNewRecipient,
    repeats: repeats?.id,
  };
  const stored = await storeChecked(services, actor, access, content, chosen, repeats);
  return { ...stored, recipients, message, points, ...expiry, notices, repeatsFrom: repeats?.createdAt };
}

/** Prepares a request again, as a new review to confirm. Its checklist has only the points that are missing. */
export async function prepareRequestAgain(
  services: TransferServices,
  actor: Actor,
  id: string,
): Promise<PreparedRequest> {
  await expectRequestsOn(services, actor);
  const repeats = await readRepeatable(services, actor, requestKind, id);
  const { recipients, expiresAfter, expiryDate, checklist } = repeats;
  const points = missingPoints(repeats);
  if (checklist !== undefined && points.length === 0) throw everythingArrived();
  const { message } = typedRequest(repeats);
  const chosen = { recipients: recipients.map(({ email }) => email), groups: [] };
  const entered = { ...chosen, message, points, expiresAfter, expiryDate };
  return prepareRequest(services, actor, { ...entered, repeats, skipsUnavailable: true });
}
