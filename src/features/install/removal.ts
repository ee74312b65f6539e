import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isSlackFailure, platformErrorOf } from '../../slack/platform-errors.ts';
import { leave } from '../connect/operations.ts';
import type { SlackServices } from '../ui-services.ts';

/** Forgets a workspace from which the app was removed at that time, or what is there from before it. */
export async function forgetRemoved(services: SlackServices, workspace: string, at: number): Promise<void> {
  const isInstalled = await services.slack.isInstalled(workspace).catch((error: unknown) => {
    // What we were told is enough where Slack cannot be asked.
    if (isSlackFailure(error)) return false;
    throw error;
  });
  if (!isInstalled) return forget(services, workspace);
  // It was told late, and the app has been installed again since.
  services.log.info({ workspace, operation: 'uninstall' }, 'installed again since');
  const credentials = await services.store.credentials.get(workspace);
  if (credentials !== undefined && credentials.connectedAt < at) await leave(services, workspace, 'disconnect');
}

async function forget(services: SlackServices, workspace: string): Promise<void> {
  await leave(services, workspace, 'uninstall');
  await services.slack.installations.deleteInstallation?.({
    teamId: workspace,
    enterpriseId: undefined,
    isEnterpriseInstall: false,
  });
}

const dayMs = 86_400_000;

/**
 * Finds removals of which we were not told, because nobody was there to hear: each workspace is asked for once a day, in
 * its own hour. One that is refused today may be a mistake of Slack's; tomorrow it is gone.
 */
export async function findRemoved(services: SlackServices, now = Date.now()): Promise<void> {
  const { store, slack, log } = services;
  const refused = store.drawer('refused-since', z.number());
  for (const workspace of await store.installations.owners()) {
    if (hourOf(workspace) !== new Date(now).getUTCHours()) continue;
    try {
      if (await slack.isInstalled(workspace)) {
        await refused.delete(workspace);
        continue;
      }
    } catch (error) {
      if (!isSlackFailure(error)) throw error;
      log.warn({ workspace, operation: 'uninstall', err: error }, 'Slack does not say whether the app is installed');
      // That was about this workspace; else Slack does not answer, and the others would wait for it in vain.
      if (platformErrorOf(error) !== undefined) continue;
      return;
    }
    await refused.add(workspace, now, { ttlMs: 4 * dayMs });
    const since = (await refused.get(workspace)) ?? now;
    if (now - since < dayMs / 2) continue;
    log.info({ workspace, operation: 'uninstall' }, 'removed without our being told');
    await forget(services, workspace);
  }
}

/** When a workspace has its turn: spread over the day, and the same every day. */
export function hourOf(workspace: string): number {
  return createHash('sha256').update(workspace).digest().readUInt32BE() % 24;
}
