/**
 * - `approval`: another person has to approve the transfer. It has no job of its kind, and isn't in the account's queue
 * - `planned`: its time to start hasn't come. Its job is due then, and it isn't in the account's queue yet
 * - `waiting`, `running`: nothing has been sent, and the transfer can be cancelled
 * - `committing`: the call that sends is about to be made or was made, and its answer is unknown
 * - `sent`: the service or its history has confirmed the transfer
 * - `failed`, `cancelled`, `unknown`: ended. If the outcome is in doubt, a later check of the history can change it
 */
export const transferStates = [
  'approval',
  'planned',
  'waiting',
  'running',
  'committing',
  'sent',
  'failed',
  'cancelled',
  'unknown',
] as const;
export type TransferState = (typeof transferStates)[number];

interface Step {
  from: readonly TransferState[];
  to: TransferState;
  /** The time that the step sets. */
  marks?: 'queued' | 'committed' | 'ended';
}

/** Nothing has been sent. */
export const unsentStates = ['approval', 'planned', 'waiting', 'running'] as const satisfies readonly TransferState[];
/** Not in the account's queue. Ended without a job of its kind. */
export const unqueuedStates: readonly TransferState[] = ['approval', 'planned'];

/** Every change of a transfer's state, and who makes it. The repository refuses all others. */
const steps = {
  // The transfer's job (lifecycle/jobs.ts)
  begin: { from: ['planned'], to: 'running', marks: 'queued' },
  start: { from: ['waiting', 'running'], to: 'running' },
  commit: { from: ['running'], to: 'committing', marks: 'committed' },
  accept: { from: ['committing'], to: 'sent' },
  // The job, because of a pause or an old approval (queue.ts, approval/jobs.ts)
  wait: { from: ['planned', 'waiting', 'running'], to: 'waiting' },
  askAgain: { from: ['running'], to: 'approval' },
  // An approver (approval/operations.ts)
  approve: { from: ['approval'], to: 'waiting', marks: 'queued' },
  approvePlanned: { from: ['approval'], to: 'planned' },
  // The sender (lifecycle/planned.ts)
  sendNow: { from: ['planned'], to: 'waiting', marks: 'queued' },
  // The end (outcome/end.ts): by the job, or when a workspace leaves. Without a job: by approver, sender or clock
  sent: { from: ['sent'], to: 'sent', marks: 'ended' },
  failed: { from: [...unsentStates, 'committing'], to: 'failed', marks: 'ended' },
  cancelled: { from: unsentStates, to: 'cancelled', marks: 'ended' },
  declined: { from: ['approval'], to: 'failed', marks: 'ended' },
  expired: { from: ['approval'], to: 'failed', marks: 'ended' },
  'probably-not-sent': { from: ['committing'], to: 'failed', marks: 'ended' },
  // Also of a transfer that was open in a restored backup (lifecycle/restored.ts)
  unknown: { from: [...unsentStates, 'committing'], to: 'unknown', marks: 'ended' },
  // Later checks of the history (outcome/jobs.ts)
  find: { from: ['sent', 'failed', 'unknown'], to: 'sent' },
  doubt: { from: ['failed', 'unknown'], to: 'unknown' },
} as const satisfies Record<string, Step>;
export type StateStep = keyof typeof steps;

/** How a transfer can end. `declined` and `expired`: not approved. */
export type End = 'sent' | 'failed' | 'cancelled' | 'declined' | 'expired' | 'probably-not-sent' | 'unknown';

/** The state after a step. Throws if the step isn't in the table. */
export function stateAfter(step: StateStep, state: TransferState): TransferState {
  const { from, to }: Step = steps[step];
  if (!from.includes(state)) throw new Error(`the step “${step}” isn't possible in the state “${state}”`);
  return to;
}

export const stepMarks = (step: StateStep): Step['marks'] => {
  const { marks }: Step = steps[step];
  return marks;
};
