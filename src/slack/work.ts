import { setTimeout as sleep } from 'node:timers/promises';
import { ZodError } from 'zod';
import type { Interaction } from './interaction.ts';
import { isSlackFailure, platformErrorOf } from './platform-errors.ts';
import { createStartQueue } from './start-queue.ts';

export interface WorkDependencies {
  /** Resolves with true for the first process that claims the delivery. */
  claim(workspace: string, delivery: string): Promise<boolean>;
  /** Tracks work that continues after the acknowledgement. */
  track(work: Promise<void>): void;
  /** Logs an error, and shows it to the person in the modal or conversation that they used. */
  fail(interaction: Interaction, error: unknown, interrupted?: string): Promise<void>;
  /** Logs an error that can't be shown to the person. */
  logFailure(interaction: Interaction, error: unknown): void;
  /** Whether an error has a message for people. A retry wouldn't fix it. */
  isExpectedError(error: unknown): boolean;
  /** Fires when the process stops: failed work is retried once more at once, and then no longer. */
  stopping: AbortSignal;
}

/** Runs work once the limits on unfinished work allow it. */
export type Run = <T>(interaction: Interaction, work: () => Promise<T>) => Promise<T>;

export interface WorkOptions {
  /** The command's text, to continue it after the person has connected. */
  interrupted?: string;
  /** The queue in which the work waits if there is too much unfinished work. Default: that of interactions. */
  run?: Run;
  /** Delays before each retry. After the last retry, the error is shown. */
  pausesMs?: readonly number[];
}

/**
 * Bolt acknowledges an event before we get it, and Slack doesn't send it again: a lost uninstall event would leave a
 * workspace's secrets in the database. So the retries outlast a database restart.
 */
export const eventPausesMs = [1_000, 5_000, 20_000, 60_000];

/** Runs acknowledged work once per delivery, and shows errors to the person. */
export function createWork(
  { claim, track, fail, logFailure, isExpectedError, stopping }: WorkDependencies,
  runInteraction: Run,
) {
  const waitForStart = createStartQueue();
  return (
    interaction: Interaction,
    delivery: string | undefined,
    handle: () => Promise<void>,
    { interrupted, run = runInteraction, pausesMs = [] }: WorkOptions = {},
  ): void => {
    let isClaimed = delivery === undefined;
    const attempt = async () => {
      isClaimed ||= await claim(interaction.actor.workspace, delivery ?? '');
      if (isClaimed) await handle();
    };
    const work = async () => {
      for (const pause of pausesMs) {
        try {
          return await attempt();
        } catch (error) {
          if (isExpectedError(error) || isPermanent(error) || stopping.aborted) throw error;
          logFailure(interaction, error);
          await sleep(pause, undefined, { signal: stopping }).catch(() => {});
        }
      }
      await attempt();
    };
    track(
      run(interaction, () => waitForStart().then(work)).catch((error: unknown) =>
        fail(interaction, error, interrupted),
      ),
    );
  };
}

/** Whether a retry would fail in the same way: Slack refused a call, or the event has no valid ids or structure. */
const isPermanent = (error: unknown) =>
  platformErrorOf(error) !== undefined ||
  error instanceof ZodError ||
  (error instanceof TypeError && !isSlackFailure(error));
