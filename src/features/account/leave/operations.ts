import { createHash } from 'node:crypto';
import { z } from 'zod';
import { accountQueue } from '../../../jobs/index.ts';
import { defineCollection, type Installation } from '../../../store/index.ts';
import { audited } from '../../common/audited.ts';
import { changeConnection, eachWorkspace } from '../../common/connection/connection.ts';
import type { Actor, Services } from '../../common/services.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { leaveKind } from '../connect/job.ts';

/** Stops new work immediately. A job then cleans up the account and deletes all data. */
export function disconnect(services: Services, actor: Actor): Promise<void> {
  return audited(services, actor, 'disconnect', async () => {
    await expectAllowed(services, actor, 'admin');
    await leave(services, actor.workspace, 'disconnect');
  });
}

/** Queues the leave job for workspaces that are being disconnected, in case a crash prevented that. */
export async function resumeLeaving(services: Services): Promise<void> {
  const { credentials } = services.store;
  await eachWorkspace(services, await credentials.owners(), async (workspace) => {
    const { leavingSince, leavingHow = 'disconnect' } = (await credentials.get(workspace)) ?? {};
    // The removed installation is already deleted: one that exists now is newer.
    const isRemoved = () => false;
    if (leavingSince !== undefined) await leave(services, workspace, leavingHow, { isRemoved });
  });
}

export interface LeaveOptions {
  /** When the workspace was disconnected or the app was removed. A connection that was made later stays. */
  at?: number;
  /** Whether the stored installation is the one that was removed, and not a newer one. */
  isRemoved?: (installation: Installation) => boolean;
}

/** Marks the workspace as disconnecting and queues the leave job. `uninstall` also deletes the installation. */
export async function leave(
  services: Services,
  workspace: string,
  how: 'disconnect' | 'uninstall',
  { at = Number.POSITIVE_INFINITY, isRemoved = () => true }: LeaveOptions = {},
): Promise<void> {
  const { store, queue } = services;
  const { credentials, isReconnected } = await changeConnection(services, workspace, async () => {
    const stored = await store.credentials.get(workspace);
    const installed = how === 'uninstall' ? await store.installations.get(workspace) : undefined;
    const isGone = installed === undefined || isRemoved(installed);
    if (stored !== undefined && stored.connectedAt >= at && (how === 'disconnect' || !isGone)) {
      return { credentials: stored, isReconnected: true };
    }
    // Store this before queueing the job: if the process dies in between, resumeLeaving queues it.
    if (stored !== undefined && (stored.leavingSince === undefined || how === 'uninstall')) {
      const leavingSince = stored.leavingSince ?? Date.now();
      await store.credentials.set(workspace, { ...stored, leavingSince, leavingHow: how });
    }
    if (installed !== undefined && isGone) await store.installations.delete(workspace);
    return { credentials: stored, isReconnected: false };
  });
  if (isReconnected) return;
  const account = credentials === undefined ? undefined : services.connectTo(credentials).account;
  const queueOptions = account === undefined ? {} : { queue: accountQueue('outgoing', account) };
  await queue.add(leaveKind, { workspace, how }, { ...queueOptions, key: `leave ${workspace}` });
}

/**
 * Deletes a workspace's data after the app was removed. If the app has been installed again, only disconnects a
 * connection from before `at`.
 */
export async function handleRemoval(services: SlackServices, workspace: string, at: number): Promise<void> {
  const { state, token } = await services.slack.installationStateOf(workspace);
  // If Slack's answer isn't clear, trust the event.
  if (state !== 'installed') return disconnectRemoved(services, workspace, { at, token });
  // The event is late: the app has been installed again since.
  services.log.info({ workspace, operation: 'uninstall' }, 'uninstall event is outdated: the app is installed');
  const isConnected = (await services.store.credentials.get(workspace)) !== undefined;
  if (isConnected) await leave(services, workspace, 'disconnect', { at });
}

interface Removal {
  at: number;
  /** The token that was used to ask Slack; undefined if there was none. */
  token: string | undefined;
}

async function disconnectRemoved(services: SlackServices, workspace: string, { at, token }: Removal): Promise<void> {
  await leave(services, workspace, 'uninstall', { at, isRemoved: ({ bot }) => bot?.token === token });
  services.slack.installations.evict(workspace);
}

const refusedSince = defineCollection('refused-since', z.number());
const dayMs = 86_400_000;

/** After this many unanswered checks in a row, Slack is considered down. */
const maxUnanswered = 5;

/**
 * Finds removals whose event was missed because no process was running. Checks each workspace once a day, at a fixed
 * hour. Slack can refuse a token by mistake: the data is deleted only if Slack refuses it again the next day.
 */
export async function findRemoved(services: SlackServices, now = Date.now()): Promise<void> {
  const { store, slack, log } = services;
  const refused = store.collection(refusedSince);
  const due = (await store.installations.owners()).filter(
    (workspace) => hourOf(workspace) === new Date(now).getUTCHours(),
  );
  let unanswered = 0;
  await eachWorkspace(services, due, async (workspace) => {
    // Slack is down: the remaining checks would only time out.
    if (unanswered >= maxUnanswered) return;
    const { state, token } = await slack.installationStateOf(workspace);
    unanswered = state === 'unreachable' ? unanswered + 1 : 0;
    if (state === 'installed') await refused.delete(workspace);
    if (state !== 'removed') return;
    await refused.add(workspace, now, { ttlMs: 4 * dayMs });
    const since = (await refused.get(workspace)) ?? now;
    if (now - since < dayMs / 2) return;
    log.info({ workspace, operation: 'uninstall' }, 'found a missed uninstall');
    await disconnectRemoved(services, workspace, { at: since, token });
  });
}

/** The hour at which a workspace is checked. Spreads the workspaces over the day. */
export function hourOf(workspace: string): number {
  return createHash('sha256').update(workspace).digest().readUInt32BE() % 24;
}
