import type { Installation, InstallationQuery, InstallationStore } from '@slack/bolt';
import { bounds } from '../lib/bounds.ts';
import { createCache } from '../lib/cache.ts';
import { DroplineError } from '../lib/errors.ts';
import type { Store, Installation as StoredInstallation, UpdateOptions } from '../store/index.ts';

/** What is needed to act as a workspace's bot. */
export interface Bot {
  token: string;
  botId: string | undefined;
  botUserId: string | undefined;
  scopes: readonly string[];
  /** Undefined if only the token was configured. */
  installedBy: string | undefined;
}

/** Code recognises this error by its message, because Bolt and its installer pass on nothing else of it. */
export const notInstalled = 'the app is not installed in this workspace';

export interface Installations extends Omit<InstallationStore, 'storeInstallation'> {
  /** Stores an installation. `inSameTransaction` runs before the commit. */
  add(installation: Installation, inSameTransaction?: UpdateOptions['inSameTransaction']): Promise<void>;
  /** Undefined if the app isn't installed. The result can be up to ten seconds old. */
  botOf(workspace: string): Promise<Bot | undefined>;
  /** Removes the workspace from the cache. */
  evict(workspace: string): void;
}

/** The app's installations: encrypted in the store, and cached for ten seconds. */
export function createInstallations({ installations }: Pick<Store, 'installations'>): Installations {
  // Cached, because Bolt reads the installation before it acknowledges anything, and the database can be slow.
  const cache = createCache<Installation | undefined>({ ttlMs: 10_000, maxEntries: 500 });
  const read = (workspace: string) =>
    cache.get(workspace, () => installations.get(workspace) as Promise<Installation | undefined>);

  return {
    evict: cache.delete,
    async add(installation, inSameTransaction) {
      const { team, isEnterpriseInstall } = installation;
      if (isEnterpriseInstall || team === undefined) {
        throw new DroplineError(
          'invalid',
          "Dropline can't be installed for a whole organisation yet. Install it in each workspace.",
        );
      }
      const withEarlier = ({ user, installedBefore = [] }: Partial<StoredInstallation> = {}): StoredInstallation => {
        const earlier = user === undefined ? [] : [...new Set([...installedBefore, user.id])];
        const stored = { ...installation, installedBefore: earlier.slice(0, bounds.adminsNotified) };
        return JSON.parse(JSON.stringify(stored));
      };
      await installations.update(team.id, withEarlier, { inSameTransaction });
      cache.delete(team.id);
    },
    async fetchInstallation({ teamId }: InstallationQuery<boolean>) {
      const installation = teamId === undefined ? undefined : await read(teamId);
      if (installation === undefined) throw new Error(notInstalled);
      return installation as Installation<'v2', false>;
    },
    async deleteInstallation({ teamId }) {
      if (teamId === undefined) return;
      cache.delete(teamId);
      await installations.delete(teamId);
    },
    async botOf(workspace) {
      const { bot, user } = (await read(workspace)) ?? {};
      if (bot === undefined) return undefined;
      return { token: bot.token, botId: bot.id, botUserId: bot.userId, scopes: bot.scopes, installedBy: user?.id };
    },
  };
}
