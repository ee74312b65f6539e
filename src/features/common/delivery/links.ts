import type pg from 'pg';
import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';
import { actions, button, line, note } from '../../../slack/blocks.ts';
import { type Content, contentOf, post } from '../../../slack/messages.ts';
import { canAddFiles } from '../../../slack/upload.ts';
import { type Desk, defineCollection, inTransaction } from '../../../store/index.ts';
import type { Actor, FileDelivery, LinkedFile } from '../services.ts';
import { pageAddress, readAddress, urlOf } from '../sign-in/page.ts';
import type { SlackServices } from '../slack-services.ts';
import { expectFilePermission } from './share.ts';
import { fileAndSenderText, type ShownFile, shownName } from './shown-file.ts';

/** The file behind a link, and the person it is for. Only the hash of the link's token is stored. */
const link = z.object({
  account: z.string(),
  person: z.string(),
  name: z.string(),
  sender: z.string().optional(),
  /** For a received file: the URL of its item. */
  url: z.string().optional(),
  /** For a file of a transfer that waits for approval: its ids. */
  transfer: z.object({ id: z.string(), file: z.string() }).optional(),
  /** The message with the link. */
  message: z.object({ channel: z.string(), ts: z.string() }).optional(),
  /** Set if malware was found in the file. Only an admin gets such a link. */
  isInfected: z.literal(true).optional(),
  triesLeft: z.number(),
  expiresAt: z.number(),
});
export type Link = z.infer<typeof link>;

export const downloadLinks = defineCollection('download-link', link);
/** Where the pages of links are, and where Slack redirects the browser after a sign-in. */
export const linkPaths = { path: 'd', signedInPath: '/d/signed-in' } as const;

type LinkServices = Pick<SlackServices, 'slack' | 'store' | 'publicUrl'>;

export function createDelivery(services: LinkServices): FileDelivery {
  return {
    async methodFor(workspace, setting) {
      if (await usesLinks(services, workspace, setting)) return 'link';
      await expectFilePermission(services, workspace);
      return 'upload';
    },
    hasLinks: services.publicUrl !== undefined,
    linkTo: (...link) => makeDownloadLink(services, ...link),
  };
}

/** `inSameTransaction` runs before the commit. */
export async function makeDownloadLink(
  services: LinkServices,
  { workspace, account, person }: Actor & Required<Desk>,
  file: LinkedFile,
  inSameTransaction: (client: pg.PoolClient) => Promise<void> = async () => {},
): Promise<string> {
  const { store } = services;
  const address = pageAddress(workspace);
  await inTransaction(store.pool, async (client) => {
    const options = { name: address.name, ttlMs: bounds.linkMs, within: client };
    const link = { account, person, ...file, triesLeft: bounds.linkAttempts, expiresAt: Date.now() + bounds.linkMs };
    await store.collection(downloadLinks).set(workspace, link, options);
    await inSameTransaction(client);
  });
  return urlOf(services, linkPaths, address);
}

/** Whether files arrive as links: an admin chose that, or the app can't add files to Slack. */
export async function usesLinks(
  { slack, publicUrl }: LinkServices,
  workspace: string,
  delivery: string,
): Promise<boolean> {
  if (publicUrl === undefined) return false;
  return delivery === 'link' || !canAddFiles(await slack.botOf(workspace));
}

/** Sends the link in a direct message. Stores its location, so that the button can be removed when the link is used. */
export async function postLink(
  { slack, store }: SlackServices,
  { workspace, person }: Actor,
  file: ShownFile & { signature?: string },
  url: string,
): Promise<void> {
  const message = await post(
    await slack.clientOf(workspace),
    person,
    linkMessage(file, url, slack.signIn !== undefined),
  );
  const { name } = readAddress(url);
  await store
    .collection(downloadLinks)
    .update(workspace, (stored) => stored && { ...stored, message }, { name, ttlMs: bounds.linkMs });
}

/** Replaces the link's message after the link was used. */
export const usedLinkText = (file: ShownFile): string => `Your link to ${fileAndSenderText(file)} has been used.`;

/** Without Sign in with Slack, Dropline can't tell who opens the link. */
export const sharedLinkHint = "Don't share it: anyone who has it can download the file.";

/** Goes into a direct message: the link is for one person and expires. */
export function linkMessage(file: ShownFile & { signature?: string }, url: string, requiresSignIn: boolean): Content {
  const warning = file.signature === undefined ? '' : ` ⚠️ Malware found in this file: ${file.signature}.`;
  const text = `Your link to ${fileAndSenderText(file)}. It works once, for ten minutes.${warning}`;
  return contentOf(text, [
    line(text),
    actions(
      button('Open download page', 'link.download', {
        url,
        accessibilityLabel: `Download ${shownName(file.name)}`,
      }),
    ),
    note(requiresSignIn ? 'Only you can use it: the page asks you to sign in with Slack.' : sharedLinkHint),
  ]);
}
