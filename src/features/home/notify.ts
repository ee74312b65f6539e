import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { z } from 'zod';
import { stamped } from '../../slack/desk-key.ts';
import { contentOf, post } from '../../slack/messages.ts';
import { platformErrorOf } from '../../slack/platform-errors.ts';
import { defineCollection } from '../../store/index.ts';
import type { Actor } from '../common/services.ts';
import { accountFor } from '../desks/operations.ts';
import { withDeskSwitch } from '../settings/desks/fields.ts';
import { deskKeyOf } from '../settings/membership.ts';
import { canUse } from '../settings/permission.ts';
import type { TransferSlackServices } from '../transfers/shown-kind.ts';
import { readHome } from './operations.ts';
import { homeView, welcomeText } from './views.ts';

/** Slack's hash of the Home that was published last, by any process. */
const homeHashes = defineCollection('home-hash', z.string());
const homeHashTtlMs = 90 * 86_400_000;

/** Pauses before the next attempt. The last one is made without a hash: the stored one can be outdated after a crash. */
const conflictPausesMs = [100, 500];

/**
 * Publishes the person's Home. Slack refuses it if another one was published after the hash was read, possibly with
 * newer content. Then everything is read again, so an older Home never replaces a newer one.
 */
export async function publishHome(services: TransferSlackServices, actor: Actor): Promise<void> {
  const { workspace, person } = actor;
  const account = actor.account ?? (await accountFor(services, actor)).account;
  const hashes = services.store.collection(homeHashes);
  const client = await services.slack.clientOf(workspace);
  for (const pauseMs of [...conflictPausesMs, undefined]) {
    // The hash is read before the content: a Home that is published in between causes a conflict.
    const hash = pauseMs === undefined ? undefined : await hashes.get(workspace, person);
    const onDesk = { ...actor, account };
    const home = homeView(services.kinds, await readHome(services, onDesk), services.support, services.publicUrl);
    const view = stamped(await withDeskSwitch(services, onDesk, home), await deskKeyOf(services, onDesk));
    try {
      const published = await client.views.publish({ user_id: person, view, hash });
      const newHash = published.view?.hash;
      if (newHash !== undefined) await hashes.set(workspace, newHash, { name: person, ttlMs: homeHashTtlMs });
      return;
    } catch (error) {
      if (pauseMs === undefined || platformErrorOf(error) !== 'hash_conflict') throw error;
      await sleep(pauseMs);
    }
  }
}

/** Refreshes Home after a change. The change has already succeeded, so a failure is only logged. */
export async function refreshHome(services: TransferSlackServices, actor: Actor): Promise<void> {
  await publishHome(services, actor).catch((error: unknown) =>
    services.log.warn({ ...actor, err: error }, 'home not refreshed'),
  );
}

const welcomed = defineCollection('welcomed', z.literal(true));
const welcomedTtlMs = 10 * 365 * 86_400_000;

/** Introduces Dropline when a person opens it for the first time. */
export async function welcomeOnce(services: TransferSlackServices, actor: Actor): Promise<void> {
  const { workspace, person } = actor;
  if (!(await canUse(services, actor))) return;
  const isNew = services.store.collection(welcomed).add(workspace, true, { name: person, ttlMs: welcomedTtlMs });
  if (!(await isNew)) return;
  try {
    const client = await services.slack.clientOf(workspace);
    await post(client, person, contentOf(welcomeText));
  } catch (error) {
    await services.store.collection(welcomed).delete(workspace, person);
    throw error;
  }
}

/** The person needs no other welcome. `within` is a transaction. */
export async function markWelcomed(
  { store }: TransferSlackServices,
  { workspace, person }: Actor,
  within: pg.ClientBase,
) {
  await store.collection(welcomed).set(workspace, true, { name: person, ttlMs: welcomedTtlMs, within });
}
