import { createHash } from 'node:crypto';
import { z } from 'zod';
import { defineCollection } from '../../store/index.ts';
import { leave } from '../connect/operations.ts';
import { eachWorkspace } from '../each-workspace.ts';
import type { SlackServices } from '../ui-services.ts';

/** Forgets a workspace from which the app was removed at that time, or what is there from before it. */
export async function forgetRemoved(services: SlackServices, workspace: string, at: number): Promise<void> {
  const { is, token } = await services.slack.standingOf(workspace);
  // What we were told is enough where Slack does not say.
  if (is !== 'installed') return forget(services, workspace, { at, token });
  // It was told late, and the app has been installed again since.
  services.log.info({ workspace, operation: 'uninstall' }, 'installed again since');
  const isConnected = (await services.store.credentials.get(workspace)) !== undefined;
  if (isConnected) await leave(services, workspace, 'disconnect', { at });
}

interface Removed {
  at: number;
  /** With which Slack was asked; undefined where there was none. */
  token: string | undefined;
}

async function forget(services: SlackServices, workspace: string, { at, token }: Removed): Promise<void> {
  await leave(services, workspace, 'uninstall', { at, isRemoved: ({ bot }) => bot?.token === token });
  services.slack.installations.forget(workspace);
}

const refusedSince = defineCollection('refused-since', z.number());
const dayMs = 86_400_000;

/** So many in a row without an answer of Slack's: it is not about these workspaces. */
const mostAway = 5;

/**
 * Finds removals of which we were not told, because nobody was there to hear: each workspace is asked for once a day, in
 * its own hour. One that is refused today may be a mistake of Slack's; tomorrow it is gone.
 */
export async function findRemoved(services: SlackServices, now = Date.now()): Promise<void> {
  const { store, slack, log } = services;
  const refused = store.collection(refusedSince);
  const due = (await store.installations.owners()).filter((one) => hourOf(one) === new Date(now).getUTCHours());
  let away = 0;
  await eachWorkspace(services, due, async (workspace) => {
    // All would wait for it in vain.
    if (away >= mostAway) return;
    const { is, token } = await slack.standingOf(workspace);
    away = is === 'away' ? away + 1 : 0;
    if (is === 'installed') await refused.delete(workspace);
    if (is !== 'removed') return;
    await refused.add(workspace, now, { ttlMs: 4 * dayMs });
    const since = (await refused.get(workspace)) ?? now;
    if (now - since < dayMs / 2) return;
    log.info({ workspace, operation: 'uninstall' }, 'removed without our being told');
    await forget(services, workspace, { at: since, token });
  });
}

/** When a workspace has its turn: spread over the day, and the same every day. */
export function hourOf(workspace: string): number {
  return createHash('sha256').update(workspace).digest().readUInt32BE() % 24;
}
