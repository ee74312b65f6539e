import type { callFaults, deliveryFaults } from './kinds.ts';
import type { Delivery, DeliveryKind } from './log.ts';

export type CallFaultKind = keyof typeof callFaults;
export type DeliveryFaultKind = keyof typeof deliveryFaults;

export type FaultRequest = { times?: number } & (
  | { method: string; kind: CallFaultKind; retryAfter?: number; status?: number; error?: string }
  | { delivery: DeliveryKind; event?: string; kind: DeliveryFaultKind }
);

export interface Fault {
  /** Continues everything that is held. */
  release(): void;
  /** Resolves when the fault has first been applied. */
  triggered: Promise<void>;
  /** Stops applying the fault. */
  remove(): void;
}

/** What a fault does to each call or delivery that it is applied to. */
export interface AppliedFault<Kind> {
  kind: Kind;
  retryAfter: number;
  status: number;
  error: string;
  markApplied(): void;
  /** Marks the fault as applied; resolves on `release()`. */
  hold(): Promise<void>;
}

interface PendingFault {
  request: FaultRequest;
  timesLeft: number;
  applied: AppliedFault<CallFaultKind | DeliveryFaultKind>;
}

export interface Faults {
  add(request: FaultRequest): Fault;
  takeCall(method: string): AppliedFault<CallFaultKind> | undefined;
  takeDelivery(delivery: Pick<Delivery, 'kind' | 'event'>): AppliedFault<DeliveryFaultKind> | undefined;
  /** Continues everything that is held, so that nothing outlives the server. */
  releaseAll(): void;
  /** Removes all faults, applied or not, and continues everything that is held. */
  clear(): void;
}

/** The pending faults, applied in the order they were added. There are no timers. */
export function createFaults(): Faults {
  let pending: PendingFault[] = [];
  const waiting = new Set<() => void>();

  function add(request: FaultRequest): Fault {
    let markApplied = () => {};
    const triggered = new Promise<void>((resolve) => {
      markApplied = resolve;
    });
    const ownHolds = new Set<() => void>();
    const release = () => {
      for (const resume of ownHolds) {
        waiting.delete(resume);
        resume();
      }
      ownHolds.clear();
    };
    const hold = () =>
      new Promise<void>((resolve) => {
        ownHolds.add(resolve);
        waiting.add(resolve);
        markApplied();
      });
    const { kind, times = 1 } = request;
    const { retryAfter = 1, status = 500, error = 'internal_error' } = 'method' in request ? request : {};
    const fault: PendingFault = {
      request,
      timesLeft: times,
      applied: { kind, retryAfter, status, error, markApplied, hold },
    };
    pending.push(fault);
    return {
      triggered,
      release,
      remove() {
        pending = pending.filter((other) => other !== fault);
      },
    };
  }

  function take(matches: (request: FaultRequest) => boolean) {
    const fault = pending.find(({ request, timesLeft }) => timesLeft > 0 && matches(request));
    if (fault) fault.timesLeft--;
    return fault?.applied;
  }

  function releaseAll(): void {
    for (const resume of waiting) resume();
    waiting.clear();
  }

  return {
    add,
    takeCall: (method) =>
      take((request) => 'method' in request && request.method === method) as AppliedFault<CallFaultKind> | undefined,
    takeDelivery: ({ kind, event }) =>
      take(
        (request) =>
          'delivery' in request &&
          request.delivery === kind &&
          (request.event === undefined || request.event === event),
      ) as AppliedFault<DeliveryFaultKind> | undefined,
    releaseAll,
    clear() {
      pending = [];
      releaseAll();
    },
  };
}
