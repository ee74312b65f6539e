import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import { type ActionContext, type ActionResult, attempts } from './action-context.ts';
import { type Decision, decideWaiting } from './actions-approval.ts';
import { type ContactCardView, viewContactCard } from './actions-contact-cards.ts';
import { addByCommand, edit } from './actions-contacts.ts';
import { endDigest, fetchFile } from './actions-inbox.ts';
import { request, send } from './actions-transfers.ts';
import { type WorkClick, workOnItems } from './actions-work.ts';
import type { PlannedPerson } from './plan.ts';

/**
 * Performs the planned actions one after the other. Then, if the plan says so, turns off the digest, works on inbox
 * items and decides on transfers that wait for approval. Always opens the card of a contact. Faults can stop any step.
 */
export async function performActions(
  workspace: Workspace,
  { name, actions }: PlannedPerson,
  decisions: Decision[] | undefined,
  endsDigest: boolean,
  clicks: WorkClick[] | undefined,
  cardViews: ContactCardView[],
  arrive: ActionContext['arrive'],
): Promise<ActionResult[]> {
  const person = workspace.person(name);
  const results: ActionResult[] = [];
  for (const action of actions) {
    await sleep(action.pauseMs);
    const result: ActionResult = {
      workspace: workspace.name,
      person: name,
      action,
      progress: 'not submitted',
      formText: '',
      error: '',
    };
    results.push(result);
    for (let attempt = 0; attempt < attempts && result.progress === 'not submitted'; attempt += 1) {
      // A person who sees a failure starts over, unless the action could already have happened.
      await perform({ workspace, person, result, arrive }).catch((error: Error) => {
        result.error = error.message;
      });
      // Read the form right before the reload closes it. A later outcome is reported in a message instead.
      result.formText = person.client.modals.length > 0 ? person.screen() : result.formText;
      await person.reloads();
    }
  }
  if (endsDigest) await endDigest(person);
  if (clicks !== undefined) await workOnItems(workspace.name, person, clicks);
  await viewContactCard(workspace.name, person, 'c0@example.org', cardViews);
  if (decisions !== undefined) await decideWaiting(workspace.name, person, decisions);
  return results;
}

function perform(context: ActionContext): Promise<void> {
  const { action } = context.result;
  switch (action.kind) {
    case 'send':
      return send(context, action);
    case 'request':
      return request(context, action);
    case 'fetch':
      return fetchFile(context, action);
    default:
      return action.by === 'command' ? addByCommand(context, action) : edit(context, action);
  }
}
