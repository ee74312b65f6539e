import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import { type ActContext, type ActResult, attempts } from './act-context.ts';
import { addByCommand, edit } from './acts-contacts.ts';
import { fetchFile } from './acts-inbox.ts';
import { request, send } from './acts-transfers.ts';
import type { PlannedPerson } from './plan.ts';

/** Performs the planned acts one after the other. Faults can stop any of them. */
export async function actAs(workspace: Workspace, { name, acts }: PlannedPerson): Promise<ActResult[]> {
  const person = workspace.person(name);
  const results: ActResult[] = [];
  for (const act of acts) {
    await sleep(act.pauseMs);
    const result: ActResult = {
      workspace: workspace.name,
      person: name,
      act,
      progress: 'not submitted',
      formText: '',
      error: '',
    };
    results.push(result);
    for (let attempt = 0; attempt < attempts && result.progress === 'not submitted'; attempt += 1) {
      // A person who sees a failure starts over, unless the act could already have happened.
      await perform({ workspace, person, result }).catch((error: Error) => {
        result.error = error.message;
      });
      // Read the form right before the reload closes it. A later outcome is reported in a message instead.
      result.formText = person.client.modals.length > 0 ? person.screen() : result.formText;
      await person.reloads();
    }
  }
  return results;
}

function perform(context: ActContext): Promise<void> {
  const { act } = context.result;
  switch (act.kind) {
    case 'send':
      return send(context, act);
    case 'request':
      return request(context, act);
    case 'fetch':
      return fetchFile(context, act);
    default:
      return act.by === 'command' ? addByCommand(context, act) : edit(context, act);
  }
}
