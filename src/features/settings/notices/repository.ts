import { z } from 'zod';
import { defineCollection, type Store } from '../../../store/index.ts';

const phrase = z.array(z.union([z.string(), z.object({ user: z.string() }), z.object({ channel: z.string() })]));
const notice = z.object({ by: z.string(), changes: z.array(phrase), recipients: z.array(z.string()) });

/** Notices on their way to admins, by workspace and id. A disconnect keeps them. */
export const adminNotices = defineCollection('admin-notice', notice);

/** The people who have installed the app or connected the workspace, also if others have done so since. */
export async function peopleWhoSetUp({ credentials, installations }: Store, workspace: string): Promise<string[]> {
  const { connectedBy, connectedBefore = [] } = (await credentials.get(workspace)) ?? {};
  const { user, installedBefore = [] } = (await installations.get(workspace)) ?? {};
  return [connectedBy, user?.id, ...connectedBefore, ...installedBefore].filter((person) => person !== undefined);
}
