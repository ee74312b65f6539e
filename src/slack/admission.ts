import { bounds } from '../bounds.ts';
import { DroplineError } from '../errors.ts';
import { createLines, type Lines } from '../lines.ts';
import type { Interaction } from './interaction.ts';
import type { Working } from './work.ts';

export interface Admission {
  /** Unfinished interactions, by workspace. */
  interactions: Lines;
  isFull(interaction: Interaction): boolean;
  /** Acknowledges. False if the workspace has too many unfinished interactions: the person gets an error instead. */
  admit(interaction: Interaction, ack: () => Promise<void>): Promise<boolean>;
}

export const busy = () =>
  new DroplineError('busy', 'Dropline is busy with other requests of this workspace. Try again in a moment.');

export function createAdmission({ track, fail }: Pick<Working, 'track' | 'fail'>): Admission {
  const interactions = createLines(bounds.interactionsPerWorkspace);
  const refusals = createLines(bounds.interactionsPerWorkspace);
  const isFull = ({ actor }: Interaction) => interactions.isFull(actor.workspace);
  return {
    interactions,
    isFull,
    async admit(interaction, ack) {
      const { workspace } = interaction.actor;
      const isAdmitted = !isFull(interaction);
      // The error takes a call to Slack. If too many of those wait, Slack itself says that the app did not respond.
      if (!isAdmitted && refusals.isFull(workspace)) return false;
      await ack();
      if (!isAdmitted) track(refusals.run(workspace, () => fail(interaction, busy())));
      return isAdmitted;
    },
  };
}
