import { z } from 'zod';
import { defineCollection } from '../store/index.ts';
import type { Actor, Services } from './services.ts';

/** What a person has gathered for the next dispatch. */
export const draftSchema = z.object({
  /** Addresses of contacts, and names of groups. */
  receivers: z.array(z.string()).default([]),
  groups: z.array(z.string()).default([]),
  /** Ids of files, in the order in which they came. */
  tray: z.array(z.string()).default([]),
  /** What was known of them when they came. Older versions stored only the ids, and attached files come without it. */
  files: z.array(z.object({ id: z.string(), name: z.string(), size: z.number(), stamp: z.string() })).default([]),
  message: z.string().optional(),
  timeToLive: z.number().optional(),
  /** The form that it was entered into last, until when by Slack's clock, and the files that came into the tray by it. */
  form: z.object({ view: z.string(), at: z.number(), joined: z.array(z.string()) }).optional(),
  /** The forms that were sent last: what is heard of them late is no draft any more. */
  sent: z.array(z.string()).default([]),
});
export type Draft = z.infer<typeof draftSchema>;

const draftLifeMs = 30 * 86_400_000;

const drafts = defineCollection('draft', draftSchema);

export async function readDraft(services: Pick<Services, 'store'>, { workspace, person }: Actor): Promise<Draft> {
  return (await services.store.collection(drafts).get(workspace, person)) ?? draftSchema.parse({});
}

/** The last change of each draft that this process has begun. */
const changing = new Map<string, Promise<unknown>>();

/**
 * One change after the other: files that are shared at once come in by several requests at a time. Those of this process
 * wait here, because each that waited for the lock would take a connection of the database.
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
