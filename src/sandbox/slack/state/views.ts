import { completedBlocks, normalizeBlocks, withTextDefaults } from './blocks.ts';
import { newId, newSecret } from './ids.ts';
import type { Json, Team, View } from './model.ts';
import { initialValues, mergedValues, rememberValues } from './values.ts';
import { clientOf, type World } from './world.ts';

/** A validated view from the bot. */
export type ViewBody = Json & { type: View['type']; blocks: Json[] };

const stackLimit = 3;

export function createView(world: World, team: Team, userId: string, body: ViewBody): View {
  const id = newId('V');
  const blocks = normalizeBlocks(body.blocks);
  const view: View = {
    id,
    teamId: team.users.get(userId)?.teamId ?? team.id,
    userId,
    type: body.type,
    body: { ...(withTextDefaults(body) as Json), blocks },
    completed: completedBlocks(body.blocks, blocks),
    hash: newHash(world),
    rootId: id,
    previousId: undefined,
    values: initialValues(blocks),
    errors: {},
  };
  team.views.set(id, view);
  return view;
}

/** Opens a modal, which replaces any open one. */
export function openModal(team: Team, view: View): void {
  const client = clientOf(team, view.userId);
  for (const id of client.modals) team.views.delete(id);
  client.modals = [view.id];
  client.confirmation = undefined;
}

/** Pushes a view onto the open ones; returns false if the stack is full. */
export function pushModal(team: Team, view: View): boolean {
  const client = clientOf(team, view.userId);
  if (client.modals.length >= stackLimit) {
    team.views.delete(view.id);
    return false;
  }
  const below = team.views.get(client.modals.at(-1) ?? '');
  if (below) {
    view.previousId = below.id;
    view.rootId = below.rootId;
    view.remembered = rememberValues(below);
    view.values = mergedValues(view.values, view.remembered);
  }
  client.modals.push(view.id);
  client.confirmation = undefined;
  return true;
}

/** Replaces the content of a view. A field whose id this modal had before keeps its earlier value. */
export function replaceView(world: World, view: View, body: ViewBody): void {
  const blocks = normalizeBlocks(body.blocks);
  view.body = { ...(withTextDefaults(body) as Json), blocks };
  view.completed = new Set([...(view.completed ?? []), ...completedBlocks(body.blocks, blocks)]);
  view.hash = newHash(world);
  view.values = mergedValues(initialValues(blocks), rememberValues(view));
  view.errors = {};
}

/**
 * Slack refuses some blocks that a bot sends back exactly as Slack returned them, but doesn't document which. The
 * simulation refuses every block to which Slack added ids or defaults.
 */
export function returnedBlockProblem({ completed }: View, { blocks }: ViewBody): string | undefined {
  const index = blocks.findIndex((block) => completed?.has(JSON.stringify(block)));
  return index === -1 ? undefined : `a block that Slack returned was sent again [json-pointer:/view/blocks/${index}]`;
}

/** Removes the top view. */
export function popModal(team: Team, userId: string): void {
  const id = clientOf(team, userId).modals.pop() ?? '';
  const view = team.views.get(id);
  if (view) rememberValues(view);
  team.views.delete(id);
}

export function clearModals(team: Team, userId: string): void {
  const client = clientOf(team, userId);
  for (const id of client.modals) team.views.delete(id);
  client.modals = [];
}

export function topModal(team: Team, userId: string): View | undefined {
  return team.views.get(clientOf(team, userId).modals.at(-1) ?? '');
}

function newHash(world: World): string {
  return `${Math.floor(world.clock() / 1000)}.${newSecret().slice(0, 8)}`;
}
