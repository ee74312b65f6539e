import { bounds } from '../lib/bounds.ts';
import { DroplineError } from '../lib/errors.ts';
import { createLimiter } from '../lib/limiter.ts';
import type { Interaction } from './interaction.ts';
import type { WorkDependencies } from './work.ts';

export type Admission = ReturnType<typeof createAdmission>;

const personBusy = () =>
  new DroplineError('busy', 'Dropline is still working on your other requests. Try again in a moment.');

const workspaceBusy = () =>
  new DroplineError('busy', 'Dropline is busy with other requests from this workspace. Try again in a moment.');

const personKey = ({ actor }: Interaction) => `${actor.workspace} ${actor.person}`;

export function createAdmission({ track, fail }: Pick<WorkDependencies, 'track' | 'fail'>) {
  const people = createLimiter(bounds.interactionsPerPerson);
  const workspaces = createLimiter(bounds.interactionsPerWorkspace);
  const refusals = createLimiter(bounds.interactionsPerWorkspace);
  /** Why the interaction can't be handled now. Undefined if it can. */
  const refusalOf = (interaction: Interaction): DroplineError | undefined => {
    if (people.isFull(personKey(interaction))) return personBusy();
    return workspaces.isFull(interaction.actor.workspace) ? workspaceBusy() : undefined;
  };
  return {
    /** Counts the interaction as unfinished until its work has ended. */
    run: <T>(interaction: Interaction, work: () => Promise<T>): Promise<T> =>
      // In this order, so that what waits for its person takes no slot of the workspace.
      people.run(personKey(interaction), () => workspaces.run(interaction.actor.workspace, work)),
    refusalOf,
    /**
     * Acknowledges. If the person or the workspace has too many unfinished interactions, resolves with false and shows
     * an error, or leaves that to Slack by not acknowledging.
     */
    async admit(interaction: Interaction, ack: () => Promise<void>): Promise<boolean> {
      const { workspace } = interaction.actor;
      const refusal = refusalOf(interaction);
      // Showing an error takes a call to Slack. If too many calls wait, don't acknowledge: Slack then shows an error.
      if (refusal !== undefined && refusals.isFull(workspace)) return false;
      await ack();
      if (refusal !== undefined) track(refusals.run(workspace, () => fail(interaction, refusal)));
      return refusal === undefined;
    },
  };
}
