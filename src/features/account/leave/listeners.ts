import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Routes } from '../../../slack/routes.ts';
import { defineCollection } from '../../../store/index.ts';
import { eachWorkspace } from '../../common/connection.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import { leave } from './operations.ts';

/** Handles the removal of the app. Slack sends both events, in either order and sometimes twice. */
export function removalRoutes(services: SlackServices): Routes {
  return {
    events: {
      app_uninstalled: ({ actor }, _, at) => handleRemoval(services, actor.workspace, at),
      tokens_revoked: async ({ actor }, { tokens }, at) => {
        // Ignore revoked user tokens: Dropline uses only bot tokens.
        const { bot = [] } = (tokens ?? {}) as { bot?: string[] };
        if (bot.length > 0) await handleRemoval(services, actor.workspace, at);
      },
    },
  };
}

/**
 * Deletes a workspace's data after the app was removed. If the app has been installed again, only disconnects a
 * connection from before `at`.
 */
async function handleRemoval(services: SlackServices, workspace: string, at: number): Promise<void> {
  const { state, token } = await services.slack.installationStateOf(workspace);
  // If Slack's answer isn't clear, trust the event.
  if (state !== 'installed') return disconnectRemoved(services, workspace, { at, token });
  // The event is late: the app has been installed again since.
  services.log.info({ workspace, operation: 'uninstall' }, 'uninstall event is outdated: the app is installed');
  const { credentials, installations } = services.store;
  if ((await credentials.list(workspace)).size === 0) return;
  // Without a stored installation, a connection made after the uninstall can't be told from an older one.
  const how = (await installations.get(workspace)) === undefined ? 'disconnect' : 'uninstall';
  await leave(services, { workspace }, how, { at, isRemoved: () => false });
}

interface Removal {
  at: number;
  /** The token that was used to ask Slack; undefined if there was none. */
  token: string | undefined;
}

async function disconnectRemoved(services: SlackServices, workspace: string, { at, token }: Removal): Promise<void> {
  await leave(services, { workspace }, 'uninstall', { at, isRemoved: ({ bot }) => bot?.token === token });
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
export async function disconnectUninstalled(services: SlackServices, now = Date.now()): Promise<void> {
  const { store, slack, log } = services;
  const refusals = store.collection(refusedSince);
  const due = (await store.installations.listOwners()).filter(
    (workspace) => checkHourOf(workspace) === new Date(now).getUTCHours(),
  );
  let unanswered = 0;
  await eachWorkspace(services, due, async (workspace) => {
    // Slack is down: the remaining checks would only time out.
    if (unanswered >= maxUnanswered) return;
    const { state, token } = await slack.installationStateOf(workspace);
    unanswered = state === 'unreachable' ? unanswered + 1 : 0;
    if (state === 'installed') await refusals.delete(workspace);
    if (state !== 'removed') return;
    await refusals.add(workspace, now, { ttlMs: 4 * dayMs });
    const firstRefusal = (await refusals.get(workspace)) ?? now;
    if (now - firstRefusal < dayMs / 2) return;
    log.info({ workspace, operation: 'uninstall' }, 'found a missed uninstall');
    await disconnectRemoved(services, workspace, { at: firstRefusal, token });
  });
}

/** The hour (UTC) at which a workspace is checked. Spreads the workspaces over the day. */
export function checkHourOf(workspace: string): number {
  return createHash('sha256').update(workspace).digest().readUInt32BE() % 24;
}
