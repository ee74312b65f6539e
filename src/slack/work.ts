import { setTimeout as sleep } from 'node:timers/promises';
import type { Lines } from '../lines.ts';
import type { Interaction } from './interaction.ts';
import { platformErrorOf } from './platform-errors.ts';
import { createTurns } from './turns.ts';

export interface Working {
  /** Resolves with whether this is the first time that the delivery is seen. */
  claim(workspace: string, delivery: string): Promise<boolean>;
  /** Tracks work that continues after the acknowledgement. */
  track(work: Promise<void>): void;
  /** Shows the person what went wrong, where they are, and logs it. */
  fail(interaction: Interaction, error: unknown, interrupted?: string): Promise<void>;
  /** Logs an error that can't be shown to the person. */
  logFailure(interaction: Interaction, error: unknown): void;
  /** Whether an error is one of ours, which a retry wouldn't fix. */
  isOwn(error: unknown): boolean;
}

export interface WorkOptions {
  /** The command that couldn't run. */
  interrupted?: string;
  /** The queue in which it waits if its workspace has too much unfinished work; by default the interactions'. */
  lines?: Lines;
  /** Delays before each retry. After the last retry, the error is shown. */
  pausesMs?: readonly number[];
}

/**
 * Bolt acknowledges an event before we see it, and no one can repeat it by hand: a lost uninstall would leave a
 * workspace's secrets here. So the retries outlast a database restart.
 */
export const eventPausesMs = [1_000, 5_000, 20_000, 60_000];

/** Runs acknowledged work once, and shows what went wrong. */
export function createWork({ claim, track, fail, logFailure, isOwn }: Working, interactions: Lines) {
  const turn = createTurns();
  return (
    interaction: Interaction,
    delivery: string | undefined,
    doing: () => Promise<void>,
    { interrupted, lines = interactions, pausesMs = [] }: WorkOptions = {},
  ): void => {
    let isClaimed = delivery === undefined;
    const attempt = async () => {
      isClaimed ||= await claim(interaction.actor.workspace, delivery ?? '');
      if (isClaimed) await doing();
    };
    const work = async () => {
      for (const pause of pausesMs) {
        try {
          return await attempt();
        } catch (error) {
          if (isOwn(error) || platformErrorOf(error) !== undefined) throw error;
          logFailure(interaction, error);
          await sleep(pause);
        }
      }
      await attempt();
    };
    track(
      lines
        .run(interaction.actor.workspace, () => turn().then(work))
        .catch((error: unknown) => fail(interaction, error, interrupted)),
    );
  };
}
