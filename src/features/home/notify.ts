import type pg from 'pg';
import { z } from 'zod';
import { contentOf, post } from '../../slack/messages.ts';
import { defineCollection } from '../../store/index.ts';
import type { Actor } from '../common/services.ts';
import type { SlackServices } from '../common/ui-services.ts';
import { readHome } from './operations.ts';
import { homeView, welcomeText } from './views.ts';

export async function publishHome(services: SlackServices, actor: Actor): Promise<void> {
  const home = await readHome(services, actor);
  const client = await services.slack.clientOf(actor.workspace);
  await client.views.publish({ user_id: actor.person, view: homeView(home, services.support) });
}

/** Refreshes Home after a change. The change has already succeeded, so a failure is only logged. */
export async function refreshHome(services: SlackServices, actor: Actor): Promise<void> {
  await publishHome(services, actor).catch((error: unknown) =>
    services.log.warn({ ...actor, err: error }, 'home not refreshed'),
  );
}

const welcomed = defineCollection('welcomed', z.literal(true));
const welcomedTtlMs = 10 * 365 * 86_400_000;

/** Introduces Dropline when a person opens it for the first time. */
export async function welcomeOnce(services: SlackServices, actor: Actor): Promise<void> {
  const { workspace, person } = actor;
  if ((await services.people.roleOf(actor)) === 'none') return;
  const isFirst = services.store.collection(welcomed).add(workspace, true, { name: person, ttlMs: welcomedTtlMs });
  if (!(await isFirst)) return;
  try {
    const client = await services.slack.clientOf(workspace);
    await post(client, person, contentOf(welcomeText));
  } catch (error) {
    await services.store.collection(welcomed).delete(workspace, person);
    throw error;
  }
}

/** The person needs no other welcome. `within` is a transaction. */
export async function markWelcomed({ store }: SlackServices, { workspace, person }: Actor, within: pg.ClientBase) {
  await store.collection(welcomed).set(workspace, true, { name: person, ttlMs: welcomedTtlMs, within });
}
