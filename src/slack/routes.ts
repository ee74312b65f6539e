import type { ModalView, Option, OptionGroup } from '@slack/types';
import type { Filled } from './form.ts';
import type { Interaction } from './interaction.ts';

/** What a feature answers to. Names are `feature.act`; what stands behind a `#` only tells elements of a block apart. */
export interface Routes {
  /** Subcommands of `/drop`. */
  commands?: Record<string, CommandRoute>;
  actions?: Record<string, (interaction: Interaction, click: Click) => Promise<void>>;
  forms?: Record<string, FormRoute>;
  options?: Record<string, (interaction: Interaction, query: string) => Promise<Suggestions>>;
  shortcuts?: Record<string, (interaction: Interaction, message: ShortcutMessage | undefined) => Promise<void>>;
  /** `at`: when it happened, by Slack's clock. It may be told minutes later, and again. */
  events?: Record<string, (interaction: Interaction, event: SlackEvent, at: number) => Promise<void>>;
}

export interface CommandRoute {
  /** What may be typed behind it. */
  usage?: string;
  /** Other names, which help doesn't show. */
  aliases?: readonly string[];
  summary: string;
  run(interaction: Interaction, words: string[]): Promise<void>;
}

export interface Click {
  /** The value of a button, or of what was chosen. */
  value: string;
}

export interface FormRoute {
  submit(interaction: Interaction, filled: Filled, metadata: string): Promise<FormAnswer>;
  /**
   * What goes on once the answer was given, in the view that is shown. It bears repetition: whoever submits again because
   * the answer was lost gets the same answer again, perhaps from another process.
   */
  after?(interaction: Interaction, about: string): Promise<void>;
  /**
   * What stands in the form after each entry into a field that tells at once; `at` is when, by Slack's clock. There are many
   * of them, in no certain order, and some come after the form was submitted. Nobody is told if one fails.
   */
  entered?(interaction: Interaction, filled: Filled, metadata: string, at: number): Promise<void>;
  /** Slack does not say what was in it. */
  closed?(interaction: Interaction, metadata: string): Promise<void>;
}

/** What becomes of a form that was submitted. */
export interface FormAnswer {
  /** Shown instead of it; without, it closes. */
  view?: ModalView;
  /** Closes it and those below it. */
  closeAll?: boolean;
  /** By the names of fields. */
  errors?: Record<string, string>;
  /** Said where the form is not closed because Slack did not wait, and written to whoever has closed it meanwhile. */
  done?: string;
  /** What the route's `after` is about. */
  after?: string;
}

export type Suggestions = { options: Option[] } | { option_groups: OptionGroup[] };

export interface ShortcutMessage {
  channel: string;
  ts: string;
  files: { id: string; name: string | null }[];
}

export type SlackEvent = Record<string, unknown> & { type: string };

/** All features' routes as one table; a name that is used twice is a mistake of ours. */
export function joinRoutes(all: readonly Routes[]): Required<Routes> {
  const joined: Required<Routes> = {
    commands: emptyTable(),
    actions: emptyTable(),
    forms: emptyTable(),
    options: emptyTable(),
    shortcuts: emptyTable(),
    events: emptyTable(),
  };
  for (const routes of all) {
    for (const kind of Object.keys(routes) as (keyof Routes)[]) {
      for (const [name, route] of Object.entries(routes[kind] ?? {})) {
        if (name in joined[kind]) throw new Error(`two features want the ${kind} of ${name}`);
        (joined[kind] as Record<string, unknown>)[name] = route;
      }
    }
  }
  return joined;
}

/** In an object like any other, "constructor" would be a command. */
function emptyTable<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}
