import { setTimeout as sleep } from 'node:timers/promises';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { sees } from './action-context.ts';

const actionsByLabel = { Take: 'take', 'Take over…': 'take over', Done: 'mark done', Reopen: 'reopen' } as const;

/** A click on Take, Take over, Done or Reopen. The bot might not have received it. */
export interface WorkClick {
  workspace: string;
  by: string;
  action: (typeof actionsByLabel)[keyof typeof actionsByLabel];
  /** The item, as "1 file from x@example.org". */
  title: string;
}

const workMs = 2_500;

/** Clicks the buttons of posts, while other people click the same ones. */
export async function workOnItems(workspace: string, person: Person, clicks: WorkClick[]): Promise<void> {
  const deadline = Date.now() + workMs;
  for (let turn = 0; Date.now() < deadline; turn += 1) {
    await clickNext(workspace, person, clicks, turn).catch(() => {});
    await person.reloads();
    await sleep(100);
  }
}

async function clickNext(workspace: string, person: Person, clicks: WorkClick[], turn: number): Promise<void> {
  await person.opens('#inbox');
  const names = person
    .readScreen()
    .lines.flatMap(({ controls }) => controls.map(({ accessibleName = '' }) => accessibleName));
  const buttons = names.filter((name) => /^(Take|Take over…|Done|Reopen) \d/.test(name));
  const name = buttons[turn % buttons.length];
  const [, label = '', title = ''] = /^(.*?) (\d+ files? from .*)$/.exec(name ?? '') ?? [];
  const action = actionsByLabel[label as keyof typeof actionsByLabel];
  // Items of the same sender have the same title, so a click would be ambiguous.
  if (name === undefined || buttons.filter((other) => other === name).length > 1) return;
  clicks.push({ workspace, by: person.name, action, title });
  await person.clicks(name);
  if (action !== 'take over') return;
  await sees(person, 'has had it since');
  await person.submits('Take over');
}
