import { setTimeout as sleep } from 'node:timers/promises';
import { type Blow, type Moment, nameOf, type PlannedFault } from './blow.ts';
import { seats } from './bots.ts';
import type { Lane } from './lane.ts';

export interface Striking {
  /** Ends all faults: removes pending ones, releases delayed calls, and waits until Postgres and bots are up again. */
  stop(): Promise<void>;
  /** How often each kind of fault has struck. */
  struck: Map<string, number>;
}

interface Armed {
  struck: Promise<void>;
  release(): void | Promise<void>;
  remove(): void;
}

/**
 * The longest delay of a call. Calls that the service carries out late must land before the bot has read the history
 * three times and goes on. Against later ones nothing could help.
 */
const holdMs = 200;

/** How long a clock is off. */
const clockMs = 800;

/** Starts the planned faults. */
export function startStriking(lane: Lane, faults: readonly PlannedFault[]): Striking {
  const struck = new Map<string, number>();
  const armed = new Set<Armed>();
  const over = new AbortController();
  const working = new Set<Promise<void>>();

  function arm(fault: Armed, blow: Blow, whenStruck: () => Promise<void>): void {
    armed.add(fault);
    // A fault that never strikes is not waited for.
    void fault.struck.then(() => {
      count(blow);
      track(whenStruck());
    });
  }

  const count = (blow: Blow) => struck.set(nameOf(blow), (struck.get(nameOf(blow)) ?? 0) + weightOf(blow));

  /** Repeated, because a fault can strike more than once. */
  async function releaseSoon(fault: Armed): Promise<void> {
    while (!over.signal.aborted) {
      await sleep(holdMs, undefined, { signal: over.signal }).catch(() => {});
      await fault.release();
    }
  }

  /** Acts at once, or during the given call. */
  async function at(moment: Moment | undefined, blow: Blow, act: () => Promise<void>): Promise<void> {
    if (moment === undefined) {
      count(blow);
      return act();
    }
    const kind = moment.isDone ? 'hang-after' : 'delay';
    const fault =
      'service' in moment
        ? lane.exchange.addFault({ operation: moment.service, kind })
        : lane.slack.addFault({ method: moment.slack, kind });
    arm(fault, blow, async () => {
      await act();
      await fault.release();
    });
  }

  async function strike(blow: Blow): Promise<void> {
    const { exchange, slack, bots, postgres } = lane;
    switch (blow.kind) {
      case 'kill':
        return at(blow.at, blow, async () => void (await Promise.all(seatsOf(blow.which).map(bots.kill))));
      case 'postgres':
        return at(blow.at, blow, () => postgres.strike(blow.how));
      case 'service': {
        const { operation, fault: kind, times } = blow;
        const fault = exchange.addFault(
          kind === 'refused'
            ? { operation, times, kind: 'answer', answer: { status: 500, body: '<h1>Internal Server Error</h1>' } }
            : { operation, times, kind },
        );
        return arm(fault, blow, () => releaseSoon(fault));
      }
      case 'slack call':
      case 'slack delivery': {
        const fault =
          blow.kind === 'slack call'
            ? slack.addFault({ method: blow.method, kind: blow.fault, times: blow.times })
            : slack.addFault({ delivery: blow.delivery, kind: blow.fault });
        return arm(fault, blow, () => releaseSoon(fault));
      }
      case 'clock': {
        const { whose, ms } = blow;
        const move = (by: number) =>
          whose === 'service' ? lane.moveClock(by) : bots.moveClock(seatsOf(whose)[0] ?? 0, by);
        count(blow);
        move(ms);
        await sleep(clockMs);
        move(0);
      }
    }
  }

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => working.delete(tracked));
    working.add(tracked);
  }

  for (const { afterMs, blow } of faults) {
    const wait = sleep(afterMs, undefined, { signal: over.signal });
    track(
      wait
        .then(() => strike(blow))
        .catch((error: Error) => {
          if (error.name !== 'AbortError') throw error;
        }),
    );
  }

  return {
    struck,
    async stop() {
      over.abort();
      for (const fault of armed) fault.remove();
      while (working.size > 0) await Promise.all(working);
      for (const fault of armed) await fault.release();
      await lane.postgres.back();
      await lane.bots.ready();
    },
  };
}

const seatsOf = (which: 'first' | 'second' | 'all'): number[] =>
  ({ first: [0], second: [1], all: Array.from({ length: seats }, (_, seat) => seat) })[which];

/** A kill counts once for each process. */
const weightOf = (blow: Blow): number => (blow.kind === 'kill' ? seatsOf(blow.which).length : 1);
