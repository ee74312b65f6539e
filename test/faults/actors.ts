import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import { addByCommand, edit } from './acts-contacts.ts';
import { fetchFile } from './acts-inbox.ts';
import { request, send } from './acts-transfers.ts';
import { attempts, type Done, type Hand } from './hand.ts';
import type { PlannedPerson } from './plan.ts';

/** Performs the planned acts one after the other, as far as the faults allow. */
export async function actAs(workspace: Workspace, { name, acts }: PlannedPerson): Promise<Done[]> {
  const person = workspace.person(name);
  const all: Done[] = [];
  for (const act of acts) {
    await sleep(act.pauseMs);
    const done: Done = { workspace: workspace.name, person: name, act, came: 'nowhere', said: '', trouble: '' };
    all.push(done);
    for (let attempt = 0; attempt < attempts && done.came === 'nowhere'; attempt += 1) {
      // A person who sees a failure starts over, unless the act could already have happened.
      await perform({ workspace, person, done }).catch((error: Error) => {
        done.trouble = error.message;
      });
      // Read right before the reload: a later outcome finds the form closed and is reported in a message.
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
