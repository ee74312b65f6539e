import { z } from 'zod';
import { defineCollection } from '../../../../store/index.ts';
import type { Actor, Services } from '../../../common/services.ts';
import { contactsOf } from '../../../contacts/operations.ts';
import { expandRecipients } from '../../../recipients/operations.ts';
import { storeReview } from '../../operations.ts';
import { contactsChanged } from './errors.ts';
import { expectRequestsOn, requestKind } from './kind.ts';

/** Reviews of requests as older versions stored them, for an hour. */
const oldReviews = defineCollection(
  'request-shown',
  z.object({
    person: z.string(),
    receivers: z.array(z.object({ email: z.string(), number: z.string().optional() })),
    message: z.string(),
    timeToLive: z.number(),
    earlier: z.array(z.string()).optional(),
  }),
);

/** Converts a review that an older version stored. Throws if its contacts have changed since. */
export async function convertOldReview(services: Services, actor: Actor, id: string): Promise<void> {
  const found = await services.store.collection(oldReviews).get(actor.workspace, id);
  if (found?.person !== actor.person) return;
  await expectRequestsOn(services, actor);
  const { receivers: reviewedRecipients, message, timeToLive, earlier } = found;
  const chosen = { receivers: reviewedRecipients.map(({ email }) => email), groups: [] };
  const contacts = expandRecipients(await contactsOf(services, actor.workspace, { fresh: true }), chosen);
  const numbers = new Map(reviewedRecipients.map(({ email, number }) => [email, number ?? '']));
  const changed = contacts.filter(({ email, number }) => numbers.get(email) !== (number ?? ''));
  if (changed.length > 0) throw contactsChanged(changed.map(({ email }) => email));
  const recipients = contacts.map(({ email, number, nick, json }) => ({ email, number, nick, json }));
  const details = { receivers: recipients, files: [], message, timeToLive, removeForeign: [], earlier };
  await storeReview(services, actor, requestKind, details, { reviewId: id });
  await services.store.collection(oldReviews).delete(actor.workspace, id);
}
