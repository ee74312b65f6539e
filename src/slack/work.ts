import { setTimeout as sleep } from 'node:timers/promises';
import type { Lines } from '../lines.ts';
import type { Interaction } from './interaction.ts';
import { platformErrorOf } from './platform-errors.ts';
import { createTurns } from './turns.ts';

export interface Working {
  /** Whether this is the first time that the delivery is seen. */
  claim(workspace: string, delivery: string): Promise<boolean>;
  /** Counts what is still being done after it was acknowledged. */
  track(work: Promise<void>): void;
  /** Says what went wrong where the person is, and logs it. */
  fail(interaction: Interaction, error: unknown, interrupted?: string): Promise<void>;
  /** Logs what went wrong where nobody can be told. */
  logFailure(interaction: Interaction, error: unknown): void;
  /** Whether an error is one of ours, which trying again would not mend. */
  isOwn(error: unknown): boolean;
}

export interface WorkOptions {
  /** The command that could not be carried out. */
  interrupted?: string;
  /** Where it waits, if its workspace has enough unfinished; else among the visits. */
  lines?: Lines;
  /** After which pauses it is tried again before it is said that it failed. */
  pausesMs?: readonly number[];
}

/**
 * An event was acknowledged before we see it, and nobody can repeat it by hand: an uninstall that was not heard would leave
 * a workspace's secrets here. So it outlasts a database that restarts.
 */
export const eventPausesMs = [1_000, 5_000, 20_000, 60_000];

/** Does what was acknowledged, once, and says what went wrong. */
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
