import type { Outside } from './client/state.ts';

/** The page's side panel: what it shows of the world outside Slack, and its actions. */
export interface OutsideWorld {
  snapshot(): Outside;
  act(name: string): Promise<void>;
}
