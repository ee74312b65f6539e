import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import { addByCommand, edit } from './acts-contacts.ts';
import { fetchFile } from './acts-inbox.ts';
import { request, send } from './acts-outgoing.ts';
import { attempts, type Done, type Hand } from './hand.ts';
import type { PlannedPerson } from './plan.ts';

/** Does what was planned, one after the other, as far as what happens meanwhile lets it. */
export async function actAs(workspace: Workspace, { name, acts }: PlannedPerson): Promise<Done[]> {
  const person = workspace.person(name);
  const all: Done[] = [];
  for (const act of acts) {
    await sleep(act.pauseMs);
    const done: Done = { workspace: workspace.name, person: name, act, came: 'nowhere', said: '', trouble: '' };
    all.push(done);
    for (let attempt = 0; attempt < attempts && done.came === 'nowhere'; attempt += 1) {
      // Whoever sees that it does not work begins anew, unless it may have been done.
      await perform({ workspace, person, done }).catch((error: Error) => {
        done.trouble = error.message;
      });
      // In one go: what comes afterwards finds the form closed, and is told elsewhere.
      done.said = person.client.modals.length > 0 ? person.screen() : done.said;
      await person.reloads();
    }
  }
  return all;
}

function perform(hand: Hand): Promise<void> {
  const { act } = hand.done;
  switch (act.kind) {
    case 'send':
      return send(hand, act);
    case 'request':
      return request(hand, act);
    case 'fetch':
      return fetchFile(hand, act);
    default:
      return act.by === 'command' ? addByCommand(hand, act) : edit(hand, act);
  }
}
