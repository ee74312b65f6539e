import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';
import { defineCollection } from '../../../store/index.ts';
import { settingsSchema } from '../../settings/repository.ts';

/** What an admin entered in the form, without the key. */
const draft = z.object({
  baseUrl: z.string(),
  username: z.string(),
  inboxChannel: z.string().optional(),
  expiryUnit: settingsSchema.shape.expiryUnit.optional(),
  /** The name of another desk; without it, the account replaces the one that is connected. */
  desk: z.string().optional(),
  /** The account that it replaces, where the workspace has several. */
  replaces: z.string().optional(),
});
export type EnteredDraft = z.infer<typeof draft>;

/** What an admin entered, with the key. */
export const connectDraft = draft.extend({ apiKey: z.string() });
export type ConnectDraft = z.infer<typeof connectDraft>;

/** The draft of each person, so that a form that is opened again still has what was entered. */
export const connectForms = defineCollection('connect-form', z.object({ draft, savedAt: z.number() }));
export const connectFormMs = 86_400_000;

/** A page on which an admin enters the API key, so that Slack never sees it. Only the hash of its token is stored. */
export const page = z.object({
  workspace: z.string(),
  person: z.string(),
  triesLeft: z.number(),
  /** Who asks for the key. */
  asking: z.object({ person: z.string(), workspace: z.string(), host: z.string() }),
  expiresAt: z.number(),
  /** The command that was interrupted because the workspace wasn't connected. */
  next: z.string().optional(),
  /** The dialog in Slack with the link to this page. */
  view: z.string().optional(),
  draft,
  /** Shown to the person in Slack. Without a sign-in, the page asks for it. */
  code: z.string(),
});
export type Page = z.infer<typeof page>;

export const pageMs = bounds.keyPageMs;

export const keyPages = defineCollection('key-page', page);

export const expiredText = 'This link has expired or has been used. Type /drop connect in Slack for a new one.';
