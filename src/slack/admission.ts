import { bounds } from '../bounds.ts';
import { DroplineError } from '../errors.ts';
import { createLimiter, type Limiter } from '../limiter.ts';
import type { Interaction } from './interaction.ts';
import type { WorkDependencies } from './work.ts';

export interface Admission {
  /** Unfinished interactions, by workspace. */
  interactions: Limiter;
  isFull(interaction: Interaction): boolean;
  /**
   * Acknowledges. If the workspace has too many unfinished interactions, resolves with false and shows an error, or
   * leaves that to Slack by not acknowledging.
   */
  admit(interaction: Interaction, ack: () => Promise<void>): Promise<boolean>;
}

export const busyError = () =>
  new DroplineError('busy', 'Dropline is busy with other requests from this workspace. Try again in a moment.');

export function createAdmission({ track, fail }: Pick<WorkDependencies, 'track' | 'fail'>): Admission {
  const interactions = createLimiter(bounds.interactionsPerWorkspace);
  const refusals = createLimiter(bounds.interactionsPerWorkspace);
  const isFull = ({ actor }: Interaction) => interactions.isFull(actor.workspace);
  return {
    interactions,
    isFull,
    async admit(interaction, ack) {
      const { workspace } = interaction.actor;
      const isAdmitted = !isFull(interaction);
      // Showing an error takes a call to Slack. If too many calls wait, don't acknowledge: Slack then shows an error.
      if (!isAdmitted && refusals.isFull(workspace)) return false;
      await ack();
      if (!isAdmitted) track(refusals.run(workspace, () => fail(interaction, busyError())));
      return isAdmitted;
    },
  };
}
