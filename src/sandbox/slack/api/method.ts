import type { Installation, Json, Team } from '../model.ts';
import type { World } from '../world.ts';
import type { Arguments } from './arguments.ts';

/** A call that may be carried out: its token is good and has the scope. */
export interface BotCall {
  world: World;
  args: Arguments;
  team: Team;
  installation: Installation;
}

/** A call without the token of a workspace. */
export interface AppCall {
  world: World;
  args: Arguments;
  /** From Basic authentication, where there was any. */
  credentials: { id: string; secret: string } | undefined;
}

interface Common {
  /** Names of its arguments. */
  args: readonly string[];
  /** Calls a minute and workspace, by Slack's tiers. */
  perMinute: number;
}

export type Method = Common &
  (
    | {
        token: 'bot';
        /** One of these must have been granted; none where it is empty. */
        scopes: readonly string[];
        handler: (call: BotCall) => Json | Promise<Json>;
      }
    | { token: 'app'; handler: (call: AppCall) => Json }
    | { token: 'none'; handler: (call: AppCall) => Json }
  );

export const tier1 = 1;
export const tier2 = 20;
export const tier3 = 50;
export const tier4 = 100;
/** Methods with a limit of their own. */
export const special = 600;
