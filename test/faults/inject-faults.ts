import { setTimeout as sleep } from 'node:timers/promises';
import { botCount } from './bots.ts';
import { type CallMoment, type FaultSpec, nameOf, type PlannedFault } from './fault-spec.ts';
import type { Lane } from './lane.ts';

export interface FaultInjection {
  /** Ends all faults: removes pending ones, releases delayed calls, and waits until Postgres and bots are up again. */
  stop(): Promise<void>;
  /** How often each kind of fault was triggered. */
  faultCounts: Map<string, number>;
}

interface ActiveFault {
  triggered: Promise<void>;
  release(): void | Promise<void>;
  remove(): void;
}

/**
 * The longest delay of a call. To reconcile, the bot reads the history at least three times. A delayed call must take
 * effect before the last read, because the bot can't detect an effect after it.
 */
const releaseAfterMs = 200;

/** How long a clock stays wrong. */
const clockOffMs = 800;

/** How long the malware scanner fails. */
const scannerOffMs = 800;

/** Injects each planned fault after its delay. */
export function injectFaults(lane: Lane, faults: readonly PlannedFault[]): FaultInjection {
  const faultCounts = new Map<string, number>();
  const active = new Set<ActiveFault>();
  const stopping = new AbortController();
  const working = new Set<Promise<void>>();

  function activate(fault: ActiveFault, spec: FaultSpec, onTriggered: () => Promise<void>): void {
    active.add(fault);
    // Don't wait for a fault that is never triggered.
    void fault.triggered.then(() => {
      count(spec);
      track(onTriggered());
    });
  }

  const count = (spec: FaultSpec) =>
    faultCounts.set(nameOf(spec), (faultCounts.get(nameOf(spec)) ?? 0) + weightOf(spec));

  /** Releases calls until the faults end, because one fault can delay several calls. */
  async function releaseSoon(fault: ActiveFault): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(releaseAfterMs, undefined, { signal: stopping.signal }).catch(() => {});
      await fault.release();
    }
  }

  /** Runs the action at once, or during the next matching call. */
  async function injectAt(moment: CallMoment | undefined, spec: FaultSpec, action: () => Promise<void>): Promise<void> {
    if (moment === undefined) {
      count(spec);
      return action();
    }
    const kind = moment.isAfterEffect ? 'hang-after' : 'delay';
    const fault =
      'service' in moment
        ? lane.exchange.addFault({ operation: moment.service, kind })
        : lane.slack.addFault({ method: moment.slack, kind });
    activate(fault, spec, async () => {
      await action();
      await fault.release();
    });
  }

  async function inject(spec: FaultSpec): Promise<void> {
    const { exchange, slack, bots, postgres } = lane;
    switch (spec.kind) {
      case 'kill':
        return injectAt(spec.at, spec, async () => void (await Promise.all(botsOf(spec.which).map(bots.kill))));
      case 'postgres':
        return injectAt(spec.at, spec, () => postgres.interrupt(spec.how));
      case 'service': {
        const { operation, fault: kind, times } = spec;
        const fault = exchange.addFault(
          kind === 'refused'
            ? { operation, times, kind: 'answer', answer: { status: 500, body: '<h1>Internal Server Error</h1>' } }
            : { operation, times, kind },
        );
        return activate(fault, spec, () => releaseSoon(fault));
      }
      case 'slack call':
      case 'slack delivery': {
        const fault =
          spec.kind === 'slack call'
            ? slack.addFault({ method: spec.method, kind: spec.fault, times: spec.times })
            : slack.addFault({ delivery: spec.delivery, kind: spec.fault });
        return activate(fault, spec, () => releaseSoon(fault));
      }
      case 'scanner': {
        count(spec);
        lane.scanner.behaviour.mode = spec.mode;
        await sleep(scannerOffMs);
        lane.scanner.reset();
        return;
      }
      case 'clock': {
        const { whose, ms } = spec;
        const setOffset = (offset: number) =>
          whose === 'service' ? lane.setClockOffset(offset) : bots.setClockOffset(botsOf(whose)[0] ?? 0, offset);
        count(spec);
        setOffset(ms);
        await sleep(clockOffMs);
        setOffset(0);
      }
    }
  }

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => working.delete(tracked));
    working.add(tracked);
  }

  for (const { afterMs, spec } of faults) {
    const wait = sleep(afterMs, undefined, { signal: stopping.signal });
    track(
      wait
        .then(() => inject(spec))
        .catch((error: Error) => {
          if (error.name !== 'AbortError') throw error;
        }),
    );
  }

  return {
    faultCounts,
    async stop() {
      stopping.abort();
      for (const fault of active) fault.remove();
      while (working.size > 0) await Promise.all(working);
      for (const fault of active) await fault.release();
      await lane.postgres.untilReady();
      await lane.bots.untilReady();
    },
  };
}

const botsOf = (which: 'first' | 'second' | 'all'): number[] =>
  ({ first: [0], second: [1], all: Array.from({ length: botCount }, (_, slot) => slot) })[which];

/** A kill counts once for each process. */
const weightOf = (spec: FaultSpec): number => (spec.kind === 'kill' ? botsOf(spec.which).length : 1);
