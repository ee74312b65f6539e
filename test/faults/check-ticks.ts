import { allOf, transfersIn } from '../../src/features/transfers/repository.ts';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import type { ActionResult } from './action-context.ts';
import type { Lane } from './lane.ts';

/** The checklist of one request at the end of a run. */
export interface ChecklistFacts {
  workspace: string;
  isRepeat: boolean;
  points: { text: string; isTicked: boolean }[];
  /** The points of the audit entries about ticks in this workspace. */
  audited: string[];
}

export async function collectChecklists({ services }: Lane, { id, name }: Workspace): Promise<ChecklistFacts[]> {
  const { store } = services;
  const requests = await allOf(transfersIn(store).ended({ workspace: id, kinds: ['request'] }));
  const audit = await store.audit.list(id, { limit: 1_000 });
  const audited = audit
    .filter(({ action, outcome }) => action === 'tick off' && outcome === 'done')
    .map(({ details }) => (details as { point: string }).point);
  return requests.flatMap(({ checklist, ticks, repeats }) => {
    if (checklist === undefined) return [];
    const points = checklist.points.map((text) => ({ text, isTicked: ticks.some(({ point }) => point === text) }));
    return [{ workspace: name, isRepeat: repeats !== undefined, points, audited }];
  });
}

/** A tick that a person saw is stored, each click counts once, and no other point is ticked off or audited. */
export function checkTicks(checklists: readonly ChecklistFacts[], results: readonly ActionResult[]): string[] {
  return checklists.flatMap(({ workspace, isRepeat, points, audited }) =>
    points.flatMap(({ text, isTicked }) => {
      const ticks = results.filter((one) => one.workspace === workspace).flatMap((one) => one.ticks ?? []);
      const tick = ticks.find(({ point }) => point === text);
      const entries = audited.filter((point) => point === text).length;
      const checks: [boolean, string][] = [
        [isTicked && tick === undefined, 'was ticked off without a click'],
        [isRepeat && isTicked, 'was asked for again although it was ticked off'],
        [tick?.isConfirmed === true && !isTicked, 'was ticked off, but is missing'],
        [!isRepeat && entries !== (isTicked ? 1 : 0), `has ${entries} audit entries`],
      ];
      return checks.flatMap(([isWrong, violation]) => (isWrong ? [`${workspace}: “${text}” ${violation}`] : []));
    }),
  );
}
