import { checkView } from '../check/index.ts';
import { deliver, markFailed } from '../delivery/deliver.ts';
import { commonPayload } from '../delivery/payloads.ts';
import { newTrigger } from '../delivery/triggers-and-urls.ts';
import { stateJson, viewJson } from '../state/json/view.ts';
import type { Json, Team, User, View } from '../state/model.ts';
import { rememberValues } from '../state/values.ts';
import {
  clearModals,
  createView,
  pushModal,
  replaceView,
  returnedBlockProblem,
  topModal,
  type ViewBody,
} from '../state/views.ts';
import { clientOf, type World } from '../state/world.ts';
import { troubleConnecting } from './notices.ts';
import { validationErrors } from './validation.ts';

/** Submits the form. Throws if Slack's own client would refuse it; errors are then below the invalid fields. */
export async function submit(world: World, team: Team, user: User): Promise<void> {
  const view = topModal(team, user.id);
  if (!view) throw new Error('no form is open');
  const client = clientOf(team, user.id);
  client.notices = [];
  view.errors = validationErrors(view.body.blocks, view.values);
  if (Object.keys(view.errors).length > 0) throw new Error('the form is not complete');
  allowFileAccess(team, view);
  const payload: Json = {
    type: 'view_submission',
    ...commonPayload(world, team, user),
    team: { id: user.teamId, domain: team.domain },
    trigger_id: newTrigger(world, team, user, view.id),
    view: { ...viewJson(world, team, view), state: stateJson(world, team, view.values) },
    response_urls: [],
  };
  const { delivery, answer } = await deliver(world, { kind: 'view_submission', teamId: team.id, payload });
  if (delivery.outcome === 'acked') {
    const problem = applyAnswer(world, team, user, view, answer);
    if (problem !== undefined) markFailed(delivery, problem);
  }
  if (delivery.outcome !== 'acked') client.notices.push(troubleConnecting);
}

/** Lets the app read the files attached to the form. */
function allowFileAccess(team: Team, view: View): void {
  for (const value of Object.values(view.values).flatMap((actions) => Object.values(actions))) {
    if (value.type !== 'file_input') continue;
    for (const id of (value.files ?? []) as string[]) {
      const file = team.files.get(id);
      if (file) file.givenToApp = true;
    }
  }
}

/** Applies the bot's answer; returns the problem if the answer is invalid. */
function applyAnswer(world: World, team: Team, user: User, view: View, answer: Json | string | undefined) {
  if (answer === undefined) {
    closeView(team, user, view);
    return undefined;
  }
  if (typeof answer === 'string') return 'the answer is not JSON';
  switch (answer.response_action) {
    case undefined:
      return 'response_action is missing';
    case 'clear':
      clearModals(team, user.id);
      return undefined;
    case 'errors':
      return showErrors(view, answer.errors);
    case 'update':
    case 'push':
      return applyView(world, team, user, view, answer);
    default:
      return `unknown response_action: ${JSON.stringify(answer.response_action)}`;
  }
}

function closeView(team: Team, user: User, view: View): void {
  const client = clientOf(team, user.id);
  client.modals = client.modals.filter((id) => id !== view.id);
  rememberValues(view);
  team.views.delete(view.id);
}

function showErrors(view: View, errors: unknown): string | undefined {
  if (typeof errors !== 'object' || errors === null || Object.keys(errors).length === 0) return 'errors are missing';
  const inputs = new Set(view.body.blocks.filter(({ type }) => type === 'input').map(({ block_id }) => block_id));
  for (const [blockId, message] of Object.entries(errors)) {
    if (!inputs.has(blockId)) return `there is no input block ${blockId}`;
    if (typeof message !== 'string' || message === '') return `the error of ${blockId} is not a text`;
  }
  view.errors = { ...(errors as Record<string, string>) };
  return undefined;
}

function applyView(world: World, team: Team, user: User, view: View, answer: Json): string | undefined {
  const problem = checkView(answer.view);
  if (problem) return [problem.error, ...problem.messages].join(' ');
  const body = answer.view as ViewBody;
  if (body.type !== 'modal') return 'the view is not a modal';
  if (answer.response_action === 'update') {
    const returned = returnedBlockProblem(view, body);
    if (returned !== undefined) return returned;
    replaceView(world, view, body);
    return undefined;
  }
  return pushModal(team, createView(world, team, user.id, body)) ? undefined : 'push_limit_reached';
}
