import { z } from 'zod';
import { defineCollection, type Store } from '../../../store/index.ts';

const claimed = defineCollection('reminded', z.literal(true));

/** Longer than a reminder can be retried: people are reminded at most two days before something expires. */
const ttlMs = 7 * 86_400_000;

/** The messages that were sent or are being sent. A claimed message is never sent again, not even after a crash. */
export function reminderClaims({ collection }: Pick<Store, 'collection'>, workspace: string) {
  const claims = collection(claimed);
  /** @param subject id of an item or request, `to`: the person, or `thread` */
  const nameOf = (subject: string, to: string) => `${subject} ${to}`;
  return {
    /** Resolves with false if the message was claimed before. */
    claim: (subject: string, to: string): Promise<boolean> =>
      claims.add(workspace, true, { name: nameOf(subject, to), ttlMs }),
    async release(subject: string, to: string): Promise<void> {
      await claims.delete(workspace, nameOf(subject, to));
    },
  };
}
