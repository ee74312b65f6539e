import type { ModalView, Option, OptionGroup } from '@slack/types';
import type { Filled } from './form.ts';
import type { Interaction } from './interaction.ts';
import type { MessageFile } from './message-files.ts';

/**
 * A feature's handlers by name. Actions, forms and shortcuts are named `feature.action`, options after their field, and
 * events as in Slack. In an action's id, a suffix after `#` only makes the id unique in its block.
 */
export interface Routes {
  /** Subcommands of `/drop`. */
  commands?: Record<string, CommandRoute>;
  actions?: Record<string, (interaction: Interaction, click: Click) => Promise<void>>;
  forms?: Record<string, FormRoute>;
  options?: Record<string, (interaction: Interaction, query: string) => Promise<Suggestions>>;
  shortcuts?: Record<string, (interaction: Interaction, message: ShortcutMessage | undefined) => Promise<void>>;
  /** `at`: time of the event by Slack's clock. Slack can deliver an event minutes later, and more than once. */
  events?: Record<string, (interaction: Interaction, event: SlackEvent, at: number) => Promise<void>>;
}

export interface CommandRoute {
  /** The arguments, as help shows them. */
  usage?: string;
  /** Other names, which help doesn't show. */
  aliases?: readonly string[];
  summary: string;
  run(interaction: Interaction, args: string[]): Promise<void>;
}

export interface Click {
  /** The value of the button or of the chosen option. */
  value: string;
}

export interface FormRoute {
  submit(interaction: Interaction, filled: Filled, metadata: string): Promise<FormAnswer>;
  /**
   * Runs after the answer, in the view that is shown. Must be idempotent: a person who submits again because the answer
   * was lost gets the same answer again, possibly from another process.
   */
  after?(interaction: Interaction, argument: string): Promise<void>;
  /**
   * Called after each change of a field with `reportsEntries`; `at` is the time of the change by Slack's clock, and
   * `field` the name of the field. Calls come in any order, some after the form was submitted. Failures are logged.
   */
  entered?(interaction: Interaction, filled: Filled, metadata: string, at: number, field: string): Promise<void>;
  /** Called when the person closes the form. Slack doesn't send its content. */
  closed?(interaction: Interaction, metadata: string): Promise<void>;
}

/** The answer to a submitted form. */
export interface FormAnswer {
  /** Replaces the form. Without a view, the form closes. */
  view?: ModalView;
  /** Closes the form and the modals below it. */
  closeAll?: boolean;
  /** Error messages by field name. */
  errors?: Record<string, string>;
  /** Shown if the answer was too late to close the form. Sent as a direct message if the person has closed it. */
  done?: string;
  /** The argument for the route's `after`. */
  after?: string;
}

export type Suggestions = { options: Option[] } | { option_groups: OptionGroup[] };

export interface ShortcutMessage {
  channel: string;
  ts: string;
  files: MessageFile[];
}

export type SlackEvent = Record<string, unknown> & { type: string };

/** All features' routes as one table. Throws if a name is used twice. */
export function joinRoutes(features: readonly Routes[]): Required<Routes> {
  const table: Required<Routes> = {
    commands: emptyTable(),
    actions: emptyTable(),
    forms: emptyTable(),
    options: emptyTable(),
    shortcuts: emptyTable(),
    events: emptyTable(),
  };
  for (const routes of features) {
    for (const kind of Object.keys(routes) as (keyof Routes)[]) {
      for (const [name, route] of Object.entries(routes[kind] ?? {})) {
        if (name in table[kind]) throw new Error(`duplicate route: ${kind} "${name}"`);
        (table[kind] as Record<string, unknown>)[name] = route;
      }
    }
  }
  return table;
}

/** A table without a prototype, so that "constructor" isn't a command. */
function emptyTable<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}
