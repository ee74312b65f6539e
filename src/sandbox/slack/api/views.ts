import { checkView } from '../check/index.ts';
import { viewJson } from '../state/json/view.ts';
import type { Json, View } from '../state/model.ts';
import { createView, openModal, pushModal, replaceView, returnedBlockProblem, type ViewBody } from '../state/views.ts';
import type { World } from '../state/world.ts';
import { type Arguments, requiredText, structure, text } from './arguments.ts';
import { type BotCall, type Method, tier4 } from './method.ts';
import { invalidArguments, refuseProblem, SlackRefusal } from './refusal.ts';

export const viewMethods: Record<string, Method> = {
  'views.open': method(['trigger_id', 'view'], open),
  'views.push': method(['trigger_id', 'view'], push),
  'views.update': method(['view_id', 'hash', 'view'], update),
  'views.publish': method(['user_id', 'hash', 'view'], publish),
};

function method(args: readonly string[], handler: (call: BotCall) => Json): Method {
  return { token: 'bot', scopes: [], args, perMinute: tier4, handler };
}

function open({ world, team, args }: BotCall): Json {
  const body = viewArgument(args, 'modal');
  const trigger = useTrigger(world, team.id, args);
  const view = createView(world, team, trigger.userId, body);
  openModal(team, view);
  return { view: viewJson(world, team, view) };
}

function push({ world, team, args }: BotCall): Json {
  const body = viewArgument(args, 'modal');
  const trigger = useTrigger(world, team.id, args);
  // A trigger from outside a modal, or from a closed one, has no modal to push onto.
  if (trigger.viewId === undefined || !team.views.has(trigger.viewId)) throw new SlackRefusal('not_found');
  const view = createView(world, team, trigger.userId, body);
  if (!pushModal(team, view)) throw new SlackRefusal('push_limit_reached');
  return { view: viewJson(world, team, view) };
}

function update({ world, team, args }: BotCall): Json {
  const view = team.views.get(requiredText(args, 'view_id'));
  if (!view) throw new SlackRefusal('not_found');
  const body = viewArgument(args, view.type);
  refuseStale(view, args);
  refuseReturned(view, body);
  replaceView(world, view, body);
  return { view: viewJson(world, team, view) };
}

function publish({ world, team, args }: BotCall): Json {
  const user = team.users.get(requiredText(args, 'user_id'));
  if (!user || user.role === 'bot' || user.role === 'app' || user.role === 'stranger') {
    throw new SlackRefusal('invalid_arguments', { response_metadata: { messages: ['invalid `user_id`'] } });
  }
  if (world.app.manifest.features?.app_home?.home_tab_enabled !== true) throw new SlackRefusal('not_enabled');
  const body = viewArgument(args, 'home');
  const current = team.views.get(team.homes.get(user.id) ?? '');
  refuseStale(current, args);
  if (current) {
    refuseReturned(current, body);
    replaceView(world, current, body);
    return { view: viewJson(world, team, current) };
  }
  const view = createView(world, team, user.id, body);
  team.homes.set(user.id, view.id);
  return { view: viewJson(world, team, view) };
}

function viewArgument(args: Arguments, type: View['type']): ViewBody {
  const view = structure(args, 'view');
  if (view === undefined) throw invalidArguments('missing required field: view');
  refuseProblem(checkView(view));
  if ((view as Json).type !== type) throw invalidArguments(`must be a ${type} view [json-pointer:/view/type]`);
  return view as ViewBody;
}

/** Slack doesn't document what it does with a hash where there is no Home yet. Here it is a conflict. */
function refuseStale(view: View | undefined, args: Arguments): void {
  const hash = text(args, 'hash');
  if (hash !== undefined && hash !== view?.hash) throw new SlackRefusal('hash_conflict');
}

function refuseReturned(view: View, body: ViewBody): void {
  const problem = returnedBlockProblem(view, body);
  if (problem !== undefined) throw invalidArguments(problem);
}

function useTrigger(world: World, teamId: string, args: Arguments) {
  const trigger = world.triggers.get(requiredText(args, 'trigger_id'));
  if (!trigger || trigger.teamId !== teamId) throw new SlackRefusal('invalid_trigger_id');
  if (trigger.used) throw new SlackRefusal('exchanged_trigger_id');
  if (world.clock() - trigger.issued >= world.behaviour.triggerMs) throw new SlackRefusal('expired_trigger_id');
  trigger.used = true;
  return trigger;
}
