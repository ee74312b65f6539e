import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { DroplineError } from '../../../../errors.ts';
import { defineCollection } from '../../../../store/index.ts';
import type { Actor, Services } from '../../../common/services.ts';
import { contactsOf } from '../../../contacts/operations.ts';
import { expandRecipients } from '../../../recipients/operations.ts';
import { type EarlierTry, earlierTries } from '../../duplicates.ts';
import { expectRecipientsAllowed, expectSurveyable, expectTimeAllowed } from '../send/rules.ts';
import { expectRequestsOn, type RequestDraft, requestFiles } from './operations.ts';

/** What a person was shown and can confirm, once. */
const shown = z.object({
  person: z.string(),
  receivers: z.array(z.object({ email: z.string(), number: z.string().optional() })),
  message: z.string(),
  timeToLive: z.number(),
  earlier: z.array(z.string()).optional(),
});
const shownMs = 3_600_000;
const shownRequests = defineCollection('request-shown', shown);

export interface PreparedRequest {
  id: string;
  receivers: { email: string; number?: string | undefined }[];
  /** The request that this one could duplicate. */
  earlier: EarlierTry | undefined;
}

/** Freezes the contacts to ask, with groups expanded, for the review. Only these will be asked. */
export async function prepareRequest(
  services: Services,
  actor: Actor,
  draft: Omit<RequestDraft, 'id' | 'seen'>,
): Promise<PreparedRequest> {
  const { settings } = await expectRequestsOn(services, actor);
  const { message, timeToLive } = draft;
  const contacts = expandRecipients(await contactsOf(services, actor.workspace, { fresh: true }), draft);
  if (contacts.length === 0) throw new DroplineError('invalid', 'Choose at least one contact.', { field: 'receivers' });
  expectRecipientsAllowed(settings, contacts);
  expectSurveyable(contacts);
  expectTimeAllowed(settings, timeToLive);
  const id = randomUUID();
  const receivers = contacts.map(({ email, number }) => (number === undefined ? { email } : { email, number }));
  const earlier = await earlierTries(services, actor, 'grant', { receivers: contacts, files: [] });
  const kept = { person: actor.person, receivers, message, timeToLive, earlier: earlier.map((one) => one.id) };
  await services.store.collection(shownRequests).set(actor.workspace, kept, { name: id, ttlMs: shownMs });
  return { id, receivers, earlier: earlier[0] };
}

export async function confirmRequest(services: Services, actor: Actor, id: string): Promise<string> {
  const kept = await services.store.collection(shownRequests).get(actor.workspace, id);
  if (kept === undefined || kept.person !== actor.person) {
    throw new DroplineError(
      'not-found',
      'This has expired or was confirmed before. Type /drop request to begin again.',
    );
  }
  const { receivers: seen, message, timeToLive, earlier } = kept;
  const receivers = seen.map(({ email }) => email);
  await requestFiles(services, actor, { id, receivers, groups: [], seen, message, timeToLive, earlier });
  await services.store.collection(shownRequests).delete(actor.workspace, id);
  return id;
}
