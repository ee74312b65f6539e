import type { Installation, InstallationQuery, InstallationStore } from '@slack/bolt';
import { createCache } from '../cache.ts';
import { DroplineError } from '../errors.ts';
import type { Store } from '../store/index.ts';

/** A workspace's bot, as far as it is needed to speak for it. */
export interface Bot {
  token: string;
  botId: string | undefined;
  botUserId: string | undefined;
  scopes: readonly string[];
  /** Undefined where it came by its token alone. */
  installedBy: string | undefined;
}

/** All that is left of the reason once Bolt and its installer have passed it on. */
export const notInstalled = 'the app is not installed in this workspace';

export interface Installations extends InstallationStore {
  /** Undefined where the app is not installed (any more). What is kept in memory may be some seconds old. */
  botOf(workspace: string): Promise<Bot | undefined>;
  /** What is kept in memory. */
  forget(workspace: string): void;
}

/** Who has installed the app: in the store, encrypted; kept in memory for seconds. */
export function createInstallations({ installations }: Pick<Store, 'installations'>): Installations {
  // Bolt waits for this before it acknowledges anything, and the database may be slow for a moment.
  const cache = createCache<Installation | undefined>({ lifeMs: 10_000, most: 500 });
  const read = (workspace: string) =>
    cache.get(workspace, () => installations.get(workspace) as Promise<Installation | undefined>);

  return {
    forget: cache.delete,
    async storeInstallation(installation) {
      const { team, isEnterpriseInstall } = installation;
      if (isEnterpriseInstall || team === undefined) {
        throw new DroplineError(
          'invalid',
          'Dropline cannot be installed for a whole organisation yet. Install it in each workspace that is to use it.',
        );
      }
      await installations.set(team.id, JSON.parse(JSON.stringify(installation)));
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
