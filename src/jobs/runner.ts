import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Crew, type CrewOptions, startCrew } from './crew.ts';
import { reap } from './reaper.ts';

export interface RunnerOptions extends CrewOptions {
  /** How long a worker must have been silent before it may be taken for dead, and how often that is looked for. */
  deadAfterSeconds?: number | undefined;
  reapEveryMs?: number | undefined;
}

export interface Runner {
  /** Whether this process may work: its sign of life is up. */
  isUp(): boolean;
  /** Takes no more jobs, lets those in progress finish, and after `graceMs` makes them stop and hands them over. */
  stop(graceMs?: number): Promise<void>;
}

const restartMs = 1_000;

/** Runs jobs until it is told to stop: an engine that breaks, as it does with some failures of the database, is replaced. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { store, log, deadAfterSeconds = 10, reapEveryMs = 2_000 } = options;
  const stopping = new AbortController();
  const told = once(stopping.signal, 'abort');
  let crew: Crew | undefined = await startCrew(options);

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        crew ??= await startCrew(options);
        const reason = await Promise.race([crew.ended, told]);
        if (stopping.signal.aborted) return;
        log?.warn({ err: reason }, 'the job engine broke: starting another');
        await crew.stop(0);
      } catch (error) {
        log?.warn({ err: error }, 'the job engine does not start');
      }
      crew = undefined;
      await sleep(restartMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const running = keepRunning();

  const reaping = setInterval(() => {
    reap(store, deadAfterSeconds).then(
      (freed) => freed.length > 0 && log?.warn({ workers: freed }, 'freed the jobs of dead workers'),
      (error) => log?.warn({ err: error }, 'dead workers could not be looked for'),
    );
  }, reapEveryMs);

  return {
    isUp: () => crew?.isUp() ?? false,
    async stop(graceMs = 10_000) {
      clearInterval(reaping);
      stopping.abort();
      await crew?.stop(graceMs);
      await running;
    },
  };
}
