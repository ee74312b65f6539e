import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createCache } from '../cache.ts';
import { defineCollection, type Store } from '../store/index.ts';
import type { Answer } from './answer-form.ts';
import type { FormAnswer } from './routes.ts';

/** Slack repeats unacknowledged deliveries for up to six minutes, and people click twice. */
const lifeMs = 15 * 60_000;

/** Not validated further: the code that builds a view checks it, and so does Slack. */
const givenAnswer = z.custom<FormAnswer>((value) => typeof value === 'object' && value !== null);

const claimed = defineCollection('claim', z.literal(true));
const answered = defineCollection('form-answer', givenAnswer);

/** Deduplicates deliveries: only one process can claim each. */
export function claims({ collection }: Pick<Store, 'collection'>) {
  const taken = collection(claimed);
  const given = collection(answered);
  const nameOf = (delivery: string) => createHash('sha256').update(delivery).digest('base64url');
  return {
    // Answers contain whole views, so keep only a few, of the most recent submissions.
    formAnswers: createCache<Answer>({ lifeMs: 10_000, most: 20 }),
    claim: (workspace: string, delivery: string): Promise<boolean> =>
      taken.add(workspace, true, { name: nameOf(delivery), ttlMs: lifeMs }),
    async unclaim(workspace: string, delivery: string): Promise<void> {
      await taken.delete(workspace, nameOf(delivery));
    },
    recordAnswer: (workspace: string, delivery: string, answer: FormAnswer): Promise<void> =>
      given.set(workspace, answer, { name: nameOf(delivery), ttlMs: lifeMs }),
    recordedAnswer: (workspace: string, delivery: string): Promise<FormAnswer | undefined> =>
      given.get(workspace, nameOf(delivery)),
  };
}
