import type { Fault, FaultRequest, Operation } from './types.ts';

/** A fault applied to one request. */
export interface Strike {
  kind: FaultRequest['kind'];
  answer: NonNullable<FaultRequest['answer']>;
  /** Resolves the fault's `struck`. */
  hit(): void;
  /** Resolves the fault's `struck`, waits for `release()`, then does the work. */
  hold(work: () => Promise<void>): Promise<void>;
}

interface Armed {
  operation: Operation;
  left: number;
  strike: Strike;
}

/** The pending faults, applied in the order they were added. There are no timers. */
export class Faults {
  #armed: Armed[] = [];

  add({ operation, kind, times = 1, answer = {} }: FaultRequest): Fault {
    if (kind === 'wrong-token' && operation === 'index') throw new Error('the index takes no token');
    let hit = () => {};
    const struck = new Promise<void>((resolve) => {
      hit = resolve;
    });
    const held: (() => Promise<void>)[] = [];
    const hold = (work: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        held.push(() => work().then(resolve, reject));
        hit();
      });
    const armed: Armed = { operation, left: times, strike: { kind, answer, hit, hold } };
    this.#armed.push(armed);
    return {
      struck,
      async release() {
        await Promise.all(held.splice(0).map((go) => go()));
      },
      remove: () => {
        this.#armed = this.#armed.filter((other) => other !== armed);
      },
    };
  }

  take(operation: Operation): Strike | undefined {
    const armed = this.#armed.find((armed) => armed.operation === operation && armed.left > 0);
    if (armed) armed.left--;
    return armed?.strike;
  }
}
