import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createCache } from '../lib/cache.ts';
import { defineCollection, type Store } from '../store/index.ts';
import type { Answer } from './answer-form.ts';
import type { FormAnswer } from './routes.ts';

/** Slack repeats unacknowledged deliveries for up to six minutes, and people click twice. */
const claimTtlMs = 15 * 60_000;

/** Not validated further: the code that built the view has checked it, and Slack will too. */
const formAnswer = z.custom<FormAnswer>((value) => typeof value === 'object' && value !== null);

const deliveries = defineCollection('claim', z.literal(true));
const formAnswers = defineCollection('form-answer', formAnswer);

/** Deduplicates deliveries from Slack: the first process that claims one handles it. */
export function claims({ collection }: Pick<Store, 'collection'>) {
  const claimedDeliveries = collection(deliveries);
  const answers = collection(formAnswers);
  const nameOf = (delivery: string) => createHash('sha256').update(delivery).digest('base64url');
  return {
    // Answers contain whole views, so only those of the most recent submissions are cached.
    formAnswers: createCache<Answer>({ ttlMs: 10_000, maxEntries: 20 }),
    claim: (workspace: string, delivery: string): Promise<boolean> =>
      claimedDeliveries.add(workspace, true, { name: nameOf(delivery), ttlMs: claimTtlMs }),
    async unclaim(workspace: string, delivery: string): Promise<void> {
      await claimedDeliveries.delete(workspace, nameOf(delivery));
    },
    recordAnswer: (workspace: string, delivery: string, answer: FormAnswer): Promise<void> =>
      answers.set(workspace, answer, { name: nameOf(delivery), ttlMs: claimTtlMs }),
    readAnswer: (workspace: string, delivery: string): Promise<FormAnswer | undefined> =>
      answers.get(workspace, nameOf(delivery)),
  };
}
