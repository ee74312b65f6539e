import { createFieldErrors, type DroplineError } from '../../../lib/errors.ts';
import { deskOf } from '../../common/connection.ts';
import type { Actor } from '../../common/services.ts';
import type { Chosen } from '../../contacts/list/ids.ts';
import { contactsOf } from '../../contacts/list/operations.ts';
import { type Pauses, pausesIn } from '../../pause/repository.ts';
import type { Access } from '../../settings/permission.ts';
import type { Settings } from '../../settings/repository.ts';
import { type ApprovalNotice, approvalNotice } from '../approval/checks.ts';
import { expectExpiry, expectRecipients, expectRepeatable } from '../checks.ts';
import type { TransferServices } from '../kind.ts';
import { type EarlierAttempt, earlierAttempts } from '../outcome/duplicates.ts';
import type { Transfer, TransferContent } from '../transfer.ts';
import { storeReview } from './operations.ts';

/** What the form of any transfer says. */
export interface Entered extends Chosen {
  message: string;
  expiresAfter: number;
  /** Set if a date was entered. Then `expiresAfter` isn't used. */
  expiryDate?: string;
  /** Errors of fields that couldn't be read. They are thrown with those of the other fields. */
  errors?: readonly DroplineError[];
}

/**
 * Checks recipients and expiry as they were entered. For a repeated transfer, leaves out or replaces what is no longer
 * possible, with notices. The other problems are in `errors`.
 */
export async function checkEntered(
  services: TransferServices,
  actor: Actor,
  settings: Settings,
  entered: Entered,
  { noun, isRepeat }: { noun: 'recipient' | 'contact'; isRepeat: boolean },
) {
  const lists = await contactsOf(services, actor, { fresh: true });
  const zone = await services.people.zoneOf(actor);
  const { expiresAfter, expiryDate } = entered;
  const { chosen, notices, ...expiry } = isRepeat
    ? expectRepeatable(settings, lists, entered, zone)
    : { chosen: entered, notices: [], expiresAfter, expiryDate };
  const errors = createFieldErrors(entered.errors);
  const contacts = errors.check(() => expectRecipients(settings, lists, chosen, noun)) ?? [];
  const recipients = contacts.map(({ email, number, nick, json }) => ({ email, number, nick, json }));
  const checkedExpiry = {
    expiresAfter: errors.check(() => expectExpiry(settings, expiry, zone)) ?? Number.NaN,
    expiryDate: expiry.expiryDate,
  };
  return { chosen, recipients, expiry: checkedExpiry, notices, errors };
}

export interface StoredReview {
  /** The id to confirm with; works once. */
  reviewId: string;
  /** The transfer that this one could duplicate. */
  earlier: EarlierAttempt | undefined;
  /** Set if another person has to approve it. */
  approval?: ApprovalNotice;
  pauses?: Pauses;
  /** Whether the person can end a pause. */
  canResume?: boolean;
  /** The name of the desk that it goes out from, where the workspace has several. */
  desk?: string | undefined;
}

/** Stores checked content as a review. Only this content will be sent. `repeats`: the transfer that it repeats. */
export async function storeChecked(
  services: TransferServices,
  actor: Actor,
  access: Access,
  content: TransferContent,
  chosen: Chosen,
  repeats?: Transfer,
): Promise<StoredReview> {
  const earlier = await earlierAttempts(services, actor, content, repeats);
  const reviewed = earlier.length === 0 ? content : { ...content, earlier: earlier.map(({ id }) => id) };
  const desk = await deskOf(services, actor);
  return {
    reviewId: await storeReview(services, { ...actor, ...desk }, reviewed, chosen),
    earlier: earlier[0],
    approval: await approvalNotice(services, access, actor, content),
    pauses: await pausesIn(services.store).read(actor),
    canResume: access.isAdmin,
    desk: await services.store.credentials.nameOf(desk),
  };
}
