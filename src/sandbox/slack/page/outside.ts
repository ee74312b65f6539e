import type { Outside } from './client/state.ts';

/** The content and actions of the page's side panel “Outside Slack”. */
export interface OutsideWorld {
  snapshot(): Outside;
  simulate(name: string): Promise<void>;
  /** Descriptions of the app's subcommands, for the list of completions. */
  readonly subcommands: Readonly<Record<string, string>>;
  /** The label of the button that fills in the form with this title; undefined if there is none. */
  fillLabelFor(title: string): string | undefined;
  /** Fills in the form that this person has open. */
  fill(title: string, personId: string): Promise<void>;
}
