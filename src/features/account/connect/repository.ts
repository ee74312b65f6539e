import { createHash } from 'node:crypto';
import { z } from 'zod';
import { bounds } from '../../../bounds.ts';
import { defineCollection } from '../../../store/index.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import { settingsSchema } from '../../settings/repository.ts';

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
  draft: z.object({
    baseUrl: z.string(),
    username: z.string(),
    inboxChannel: z.string().optional(),
    expiry: settingsSchema.shape.expiry.optional(),
  }),
});
export type Page = z.infer<typeof page>;

export const pageMs = bounds.keyPageMs;

export const keyPages = defineCollection('key-page', page);

/** The parts of a page's address. */
export interface PageAddress {
  workspace: string;
  token: string;
  /** The key under which the page is stored. */
  name: string;
}

/** Parses `<workspace>.<token>`. */
export function pageAddress(text: string): PageAddress {
  const [workspace = '', token = ''] = text.split('.');
  return { workspace, token, name: hashOf(token) };
}

export const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

export const urlOf = ({ publicUrl }: SlackServices, { workspace, token }: Pick<PageAddress, 'workspace' | 'token'>) =>
  `${publicUrl}/connect/${workspace}.${token}`;

export const expiredText = 'This link has expired or has been used. Type /drop connect in Slack for a new one.';
