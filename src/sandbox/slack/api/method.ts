import type { Installation, Json, Team } from '../state/model.ts';
import type { World } from '../state/world.ts';
import type { Arguments } from './arguments.ts';

/** A call with a valid bot token that has the required scope. */
export interface BotCall {
  world: World;
  args: Arguments;
  team: Team;
  installation: Installation;
}

/** A call without a workspace's token. */
export interface AppCall {
  world: World;
  args: Arguments;
  /** From Basic authentication, if used. */
  credentials: { id: string; secret: string } | undefined;
}

interface Common {
  /** The names of the arguments that the method accepts. */
  args: readonly string[];
  /** Calls per minute and workspace, by Slack's tiers. */
  perMinute: number;
}

export type Method = Common &
  (
    | {
        token: 'bot';
        /** At least one of these must be granted; if empty, none is needed. */
        scopes: readonly string[];
        handler: (call: BotCall) => Json | Promise<Json>;
      }
    | { token: 'app'; handler: (call: AppCall) => Json }
    /** An app configuration token, which belongs to a person. */
    | { token: 'config'; handler: (call: AppCall) => Json }
    | { token: 'none'; handler: (call: AppCall) => Json }
  );

export const tier1 = 1;
export const tier3 = 50;
export const tier4 = 100;
/** Slack's “special” tier: the real limit differs by method. */
export const special = 600;
