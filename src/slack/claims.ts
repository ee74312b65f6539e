import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createCache } from '../cache.ts';
import { defineCollection, type Store } from '../store/index.ts';
import type { Answer } from './answer-form.ts';
import type { FormAnswer } from './routes.ts';

/** Slack repeats what it thinks was not heard, for six minutes at most; people click twice. */
const lifeMs = 15 * 60_000;

/** As it was given: a view is checked by whoever makes it, and by Slack. */
const givenAnswer = z.custom<FormAnswer>((value) => typeof value === 'object' && value !== null);

const claimed = defineCollection('claim', z.literal(true));
const answered = defineCollection('form-answer', givenAnswer);

/** Says of each delivery once, to one process, that it is the first of its kind. */
export function claims({ collection }: Pick<Store, 'collection'>) {
  const taken = collection(claimed);
  const given = collection(answered);
  const nameOf = (delivery: string) => createHash('sha256').update(delivery).digest('base64url');
  return {
    // An answer holds whole views: a few, of those who submit at this moment.
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
