import type { Fault, FaultRequest, Operation } from './model.ts';

/** What `take` gives to every request that the fault applies to. */
export interface AppliedFault {
  kind: FaultRequest['kind'];
  answer: NonNullable<FaultRequest['answer']>;
  /** Resolves the fault's `triggered`. */
  markApplied(): void;
  /** Resolves the fault's `triggered`, waits for `release()`, then runs `work`. */
  hold(work: () => Promise<void>): Promise<void>;
}

interface PendingFault {
  operation: Operation;
  left: number;
  applied: AppliedFault;
}

/** Faults apply in the order they were added. A held request continues only after `release()`, never after a time. */
export class Faults {
  #pending: PendingFault[] = [];

  add({ operation, kind, times = 1, answer = {} }: FaultRequest): Fault {
    if (kind === 'wrong-token' && operation === 'index') throw new Error('the index needs no token');
    let markApplied = () => {};
    const triggered = new Promise<void>((resolve) => {
      markApplied = resolve;
    });
    const holds: (() => Promise<void>)[] = [];
    const hold = (work: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        holds.push(() => work().then(resolve, reject));
        markApplied();
      });
    const pending: PendingFault = { operation, left: times, applied: { kind, answer, markApplied, hold } };
    this.#pending.push(pending);
    return {
      triggered,
      async release() {
        await Promise.all(holds.splice(0).map((resume) => resume()));
      },
      remove: () => {
        this.#pending = this.#pending.filter((other) => other !== pending);
      },
    };
  }

  take(operation: Operation): AppliedFault | undefined {
    const pending = this.#pending.find((pending) => pending.operation === operation && pending.left > 0);
    if (pending) pending.left--;
    return pending?.applied;
  }
}
