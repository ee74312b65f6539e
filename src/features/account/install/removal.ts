import { createHash } from 'node:crypto';
import { z } from 'zod';
import { defineCollection } from '../../../store/index.ts';
import { eachWorkspace } from '../../common/connection/each-workspace.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import { leave } from '../connect/operations.ts';

/** Deletes a workspace's data after the app was removed. If it is back, ends only a connection from before `at`. */
export async function forgetRemoved(services: SlackServices, workspace: string, at: number): Promise<void> {
  const { is, token } = await services.slack.installationStateOf(workspace);
  // If Slack doesn't give a clear answer, the event is enough.
  if (is !== 'installed') return forget(services, workspace, { at, token });
  // The event is late: the app has been installed again since.
  services.log.info({ workspace, operation: 'uninstall' }, 'uninstall event is outdated: the app is installed');
  const isConnected = (await services.store.credentials.get(workspace)) !== undefined;
  if (isConnected) await leave(services, workspace, 'disconnect', { at });
}

interface Removed {
  at: number;
  /** The token that Slack was asked with; undefined if there was none. */
  token: string | undefined;
}

async function forget(services: SlackServices, workspace: string, { at, token }: Removed): Promise<void> {
  await leave(services, workspace, 'uninstall', { at, isRemoved: ({ bot }) => bot?.token === token });
  services.slack.installations.forget(workspace);
}

const refusedSince = defineCollection('refused-since', z.number());
const dayMs = 86_400_000;

/** After this many in a row without an answer, Slack itself is down. */
const mostAway = 5;

/**
 * Finds removals whose event was missed, because no process was running. Checks each workspace once a day, in a fixed
 * hour. A refusal can be Slack's mistake: the data is deleted only if Slack still refuses the next day.
 */
export async function findRemoved(services: SlackServices, now = Date.now()): Promise<void> {
  const { store, slack, log } = services;
  const refused = store.collection(refusedSince);
  const due = (await store.installations.owners()).filter((one) => hourOf(one) === new Date(now).getUTCHours());
  let away = 0;
  await eachWorkspace(services, due, async (workspace) => {
    // Slack is down: the rest would only wait for it.
    if (away >= mostAway) return;
    const { is, token } = await slack.installationStateOf(workspace);
    away = is === 'away' ? away + 1 : 0;
    if (is === 'installed') await refused.delete(workspace);
    if (is !== 'removed') return;
    await refused.add(workspace, now, { ttlMs: 4 * dayMs });
    const since = (await refused.get(workspace)) ?? now;
    if (now - since < dayMs / 2) return;
    log.info({ workspace, operation: 'uninstall' }, 'found a missed uninstall');
    await forget(services, workspace, { at: since, token });
  });
}

/** The hour in which a workspace is checked: spread over the day, and the same every day. */
export function hourOf(workspace: string): number {
  return createHash('sha256').update(workspace).digest().readUInt32BE() % 24;
}
