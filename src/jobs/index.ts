export { sweepCheckpoints } from './checkpoints.ts';
export {
  handlerOf,
  type JobContext,
  type JobHandler,
  type JobKind,
  type Json,
  jobKind,
  PermanentError,
} from './kinds.ts';
export { type AddOptions, accountQueue, openQueue, type Queue } from './queue.ts';
export { type Runner, type RunnerOptions, startRunner } from './runner.ts';
export { startRunners } from './runners.ts';
export { jobOutcomes } from './task.ts';
