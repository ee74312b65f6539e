import { setTimeout as sleep } from 'node:timers/promises';
import { pauseTargets } from '../../src/features/pause/repository.ts';
import { resumeTransfers } from '../../src/features/transfers/queue.ts';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import type { ActionResult } from './action-context.ts';
import type { Decision } from './actions-approval.ts';
import { type FinalList, startChannels } from './actions-channels.ts';
import type { ContactCardView } from './actions-contact-cards.ts';
import { type KnownPause, pauseAndResume, pauserNames } from './actions-pause.ts';
import { type ItemBefore, remindOnceMore, remindRepeatedly } from './actions-reminders.ts';
import type { WorkClick } from './actions-work.ts';
import { performActions } from './actors.ts';
import { check, type Verdict } from './check.ts';
import { checkChains } from './check-chains.ts';
import { checkPauses } from './check-pauses.ts';
import { checkSeen } from './check-seen.ts';
import { checkTicks, collectChecklists } from './check-ticks.ts';
import { checkPlanned } from './check-transfers.ts';
import { checkWork, collectWork } from './check-work.ts';
import { collectFacts, countCalls } from './facts.ts';
import { stopPolling, untilIdle } from './idle.ts';
import { injectFaults } from './inject-faults.ts';
import type { Lane } from './lane.ts';
import type { Arrival, Plan, PlannedFile } from './plan.ts';
import { collectSeen } from './seen-facts.ts';
import { setUpPlan } from './setup.ts';

export interface Run extends Verdict {
  seed: number;
  results: ActionResult[];
  decisions: Decision[];
  pauses: KnownPause[];
  /** Clicks on Take, Done, Take over and Reopen. */
  clicks: WorkClick[];
  /** How often the bot showed people files of the channels beside #inbox, or posted them there. */
  sightings: number;
  faultCounts: Map<string, number>;
  ms: number;
}

/** Runs a plan and returns its violations and counts. A run that can't be completed counts as a violation. */
export async function runPlan(lane: Lane, plan: Plan): Promise<Run> {
  return completePlan(lane, plan).catch((error: Error) => ({
    seed: plan.seed,
    results: [],
    decisions: [],
    pauses: [],
    clicks: [],
    sightings: 0,
    faultCounts: new Map(),
    ms: 0,
    repeated: 0,
    stale: 0,
    unknown: 0,
    reminders: 0,
    violations: [`the run failed: ${error.stack}`],
  }));
}

async function completePlan(lane: Lane, plan: Plan): Promise<Run> {
  const started = Date.now();
  const callsBefore = countCalls(lane);
  const workspaces = await setUpPlan(lane, plan);
  const activities = plan.workspaces.map((planned, index) =>
    startChannels(workspaces[index] as Workspace, planned, plan.seed),
  );
  const injection = injectFaults(lane, plan.faults);
  const reminding = remindRepeatedly(lane, workspaces);
  const arriving = Promise.all(
    [...plan.arrivals, ...(plan.channelArrivals ?? [])].map(async ({ afterMs, account, sender, file }) => {
      await sleep(afterMs);
      await lane.exchange.addInboxItem(account, { sender, files: [file] });
    }),
  );
  const decisions: Decision[] = [];
  const cardViews: ContactCardView[] = [];
  const clicks: WorkClick[] = [];
  const answers: Arrival[] = [];
  const arriveAt = (account: string) => async (sender: string, file: PlannedFile) => {
    answers.push({ afterMs: 0, account, sender, file });
    await lane.exchange.addInboxItem(account, { sender, files: [file] });
  };
  const acting = plan.workspaces.flatMap(({ account, people, needsApproval, endsDigest = false, hasWork }, index) =>
    people.map((person, number) =>
      performActions(
        workspaces[index] as Workspace,
        person,
        needsApproval === true ? decisions : undefined,
        endsDigest && number === 0,
        hasWork === true ? clicks : undefined,
        cardViews,
        arriveAt(account),
      ),
    ),
  );
  const pausing = plan.workspaces.flatMap(({ pauses = [] }, index) =>
    pauses.map((pause) => pauseAndResume(workspaces[index] as Workspace, pause)),
  );
  const looking = activities.map((activity) => activity.act());
  const results = (await Promise.all(acting)).flat();
  await Promise.all(looking);
  await arriving;
  const pauses = (await Promise.all(pausing)).filter((pause) => pause !== undefined);
  await injection.stop();
  await reminding.stop();
  const { faultCounts } = injection;
  const countFaults = (pattern: RegExp) =>
    [...faultCounts].reduce((sum, [name, number]) => sum + (pattern.test(name) ? number : 0), 0);
  const interruptions = { kills: countFaults(/^kill/), outages: countFaults(/^Postgres/) };
  await resumeAll(lane, workspaces);
  const planWithAnswers = { ...plan, arrivals: [...plan.arrivals, ...answers] };
  const collectCurrentFacts = () => collectFacts(lane, planWithAnswers, results, callsBefore);
  const sentEarly = checkPlanned(collectCurrentFacts());
  let itemsBefore: ItemBefore[] = [];
  const checkNow = () => check({ ...collectCurrentFacts(), decisions, cardViews, itemsBefore, ...interruptions });
  const isCorrect = () => checkNow().violations.length === 0;
  const unfinished = await untilIdle(lane, workspaces, isCorrect);
  // After a violation, another wait would exceed the time limit of the test.
  if (unfinished.length === 0 && isCorrect()) {
    itemsBefore = await remindOnceMore(lane, workspaces, collectCurrentFacts().workspaces);
    unfinished.push(...(await untilIdle(lane, workspaces, isCorrect)));
  }
  const calmFrom = Date.now();
  const lists: FinalList[] = [];
  if (unfinished.length === 0 && isCorrect()) {
    lists.push(...(await Promise.all(activities.map((activity) => activity.lookAtEnd()))).flat());
    unfinished.push(...(await untilIdle(lane, workspaces, isCorrect)));
  }
  await Promise.all(activities.map((activity) => activity.stop()));
  const seen = await Promise.all(
    plan.workspaces.map(async ({ name, channels }, index) => {
      const activity = activities[index];
      if (channels === undefined || activity === undefined) return [];
      const known = { ...activity, results, calmFrom, lists: lists.filter(({ workspace }) => workspace === name) };
      return checkSeen(await collectSeen(lane, workspaces[index] as Workspace, channels, known));
    }),
  );
  const { violations, ...verdict } = checkNow();
  const duringPauses = await checkPauses(lane, pauses, results);
  const work = await Promise.all(workspaces.map((workspace) => collectWork(lane, workspace)));
  const wrongWork = checkWork(work.flat(), clicks);
  const checklists = await Promise.all(workspaces.map((workspace) => collectChecklists(lane, workspace)));
  const wrongTicks = checkTicks(checklists.flat(), results);
  const wrongChains = await checkChains(lane, workspaces);
  await stopPolling(lane, workspaces);
  const ms = Date.now() - started;
  return {
    seed: plan.seed,
    results,
    decisions,
    pauses,
    clicks,
    sightings: activities.reduce((sum, { sightings }) => sum + sightings.length, 0),
    faultCounts,
    ms,
    ...verdict,
    violations: [
      ...violations,
      ...sentEarly,
      ...duringPauses,
      ...unfinished,
      ...wrongWork,
      ...wrongTicks,
      ...wrongChains,
      ...seen.flat(),
    ],
  };
}

/** Ends all pauses. Admins give up resuming after some failures, but a run ends only when no paused transfer waits. */
async function resumeAll({ services }: Lane, workspaces: readonly Workspace[]): Promise<void> {
  for (const workspace of workspaces) {
    for (const target of pauseTargets) {
      const admin = workspace.people.find(({ name }) => name === pauserNames[target]);
      if (admin !== undefined) await resumeTransfers(services, { workspace: workspace.id, person: admin.id }, target);
    }
  }
}
