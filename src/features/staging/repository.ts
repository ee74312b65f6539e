import { z } from 'zod';
import { defineCollection, type UpdateOptions } from '../../store/index.ts';
import type { Actor, Services } from '../common/services.ts';

/** A message about the draft whose buttons still work: where it is, and its text. */
const notice = z.object({ channel: z.string(), ts: z.string(), text: z.string() });
export type DraftNotice = z.infer<typeof notice>;

/** What a person has entered for the next transfer and not sent. */
export const draftSchema = z.object({
  /** Addresses of contacts; `groups` has names of groups. */
  recipients: z.array(z.string()).default([]),
  groups: z.array(z.string()).default([]),
  /** Ids of staged files, in order of arrival. */
  staged: z.array(z.string()).default([]),
  /** Staged files that came in through a form. A form in which one is removed unstages it. */
  joined: z.array(z.string()).default([]),
  /** Other staged files that were removed in a form. The next form offers them, but doesn't tick them. */
  unticked: z.array(z.string()).default([]),
  /** Staged files as they were on arrival. Files attached to a form have only an id. */
  files: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        size: z.number(),
        stamp: z.string(),
        isSnippet: z.boolean(),
        isShared: z.boolean(),
      }),
    )
    .default([]),
  message: z.string().optional(),
  expiresAfter: z.number().optional(),
  /** The expiry, if it was entered as a date. */
  expiryDate: z.string().optional(),
  /** The note to the approver, if the person went back from the review. */
  note: z.string().optional(),
  /** When it should go, likewise. */
  plannedFor: z.number().optional(),
  /**
   * The form in which the person last entered something, when (by Slack's clock), and the files that were attached to it
   * or unstaged by it.
   */
  form: z.object({ view: z.string(), at: z.number(), files: z.array(z.string()) }).optional(),
  /** Options chosen in the recipients field of another form, to show them again after a contact was added from it. */
  choosing: z.object({ view: z.string(), at: z.number(), options: z.array(z.string()) }).optional(),
  /** The last forms that were submitted. Their late events don't change the draft. */
  sent: z.array(z.string()).default([]),
  /** The last message with a Continue button, and the last one with a Send button. */
  notices: z.object({ saved: notice.optional(), staged: notice.optional() }).default({}),
});
export type Draft = z.infer<typeof draftSchema>;

const draftTtlMs = 30 * 86_400_000;

const drafts = defineCollection('draft', draftSchema);

export async function readDraft(services: Pick<Services, 'store'>, { workspace, person }: Actor): Promise<Draft> {
  return (await services.store.collection(drafts).get(workspace, person)) ?? draftSchema.parse({});
}

/** Runs changes one after the other, because files that are shared together arrive in concurrent requests. */
export function changeDraft(
  services: Pick<Services, 'store'>,
  { workspace, person }: Actor,
  change: (draft: Draft) => Partial<Draft>,
  options: Pick<UpdateOptions, 'within' | 'inSameTransaction'> = {},
): Promise<Draft> {
  const applyChange = (draft: Draft = draftSchema.parse({})): Draft => {
    const changed = draftSchema.parse({ ...draft, ...change(draft) });
    const isStaged = (id: string) => changed.staged.includes(id);
    const [joined, unticked] = [changed.joined.filter(isStaged), changed.unticked.filter(isStaged)];
    return { ...changed, joined, unticked, files: changed.files.filter(({ id }) => isStaged(id)) };
  };
  const stored = { name: person, ttlMs: draftTtlMs };
  return services.store.collection(drafts).update(workspace, applyChange, { ...stored, ...options });
}
