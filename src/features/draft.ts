import { z } from 'zod';
import { defineCollection } from '../store/index.ts';
import type { Actor, Services } from './services.ts';

/** What a person has entered for the next transfer and not sent. */
export const draftSchema = z.object({
  /** Addresses of contacts; `groups` has names of groups. */
  receivers: z.array(z.string()).default([]),
  groups: z.array(z.string()).default([]),
  /** Ids of staged files, in order of arrival. */
  tray: z.array(z.string()).default([]),
  /** Staged files as they were on arrival. Files attached to a form, or staged by an older version, have only an id. */
  files: z.array(z.object({ id: z.string(), name: z.string(), size: z.number(), stamp: z.string() })).default([]),
  message: z.string().optional(),
  timeToLive: z.number().optional(),
  /** The form of the last entry, the time of that entry by Slack's clock, and the files that the form staged. */
  form: z.object({ view: z.string(), at: z.number(), joined: z.array(z.string()) }).optional(),
  /** The forms that were sent last: their late events don't change the draft. */
  sent: z.array(z.string()).default([]),
});
export type Draft = z.infer<typeof draftSchema>;

const draftLifeMs = 30 * 86_400_000;

const drafts = defineCollection('draft', draftSchema);

export async function readDraft(services: Pick<Services, 'store'>, { workspace, person }: Actor): Promise<Draft> {
  return (await services.store.collection(drafts).get(workspace, person)) ?? draftSchema.parse({});
}

/** The last pending change of each draft in this process. */
const changing = new Map<string, Promise<unknown>>();

/**
 * One change at a time, because files that are shared together arrive in concurrent requests. Changes in this process
 * wait here: each one that waited for the lock would hold a database connection.
 */
export function changeDraft(
  services: Pick<Services, 'store'>,
  actor: Actor,
  change: (draft: Draft) => Partial<Draft>,
): Promise<Draft> {
  const { workspace, person } = actor;
  const name = `draft ${workspace} ${person}`;
  const locked = () =>
    services.store.withLock(name, AbortSignal.timeout(10_000), async () => {
      const draft = await readDraft(services, actor);
      const changed = draftSchema.parse({ ...draft, ...change(draft) });
      changed.files = changed.files.filter(({ id }) => changed.tray.includes(id));
      await services.store.collection(drafts).set(workspace, changed, { name: person, ttlMs: draftLifeMs });
      return changed;
    });
  const mine = (changing.get(name) ?? Promise.resolve()).then(locked, locked);
  changing.set(name, mine);
  const forget = () => changing.get(name) === mine && changing.delete(name);
  mine.then(forget, forget);
  return mine;
}
