import type { CallFaultKind, Delivery, DeliveryFaultKind, Fault, FaultRequest } from './types.ts';

/** A fault applied to one call or delivery. */
export interface Strike<Kind> {
  kind: Kind;
  retryAfter: number;
  status: number;
  error: string;
  hit(): void;
  /** Resolves on `release()`. */
  held(): Promise<void>;
}

interface Armed {
  request: FaultRequest;
  left: number;
  strike: Strike<CallFaultKind | DeliveryFaultKind>;
}

export interface Faults {
  add(request: FaultRequest): Fault;
  takeCall(method: string): Strike<CallFaultKind> | undefined;
  takeDelivery(delivery: Pick<Delivery, 'kind' | 'event'>): Strike<DeliveryFaultKind> | undefined;
  /** Continues everything that is held, so that nothing outlives the server. */
  releaseAll(): void;
  /** Removes all faults, applied or not. */
  clear(): void;
}

/** The pending faults, applied in the order they were added. There are no timers. */
export function createFaults(): Faults {
  let armed: Armed[] = [];
  const waiting = new Set<() => void>();

  function add(request: FaultRequest): Fault {
    let hit = () => {};
    const struck = new Promise<void>((resolve) => {
      hit = resolve;
    });
    const own = new Set<() => void>();
    const release = () => {
      for (const go of own) {
        waiting.delete(go);
        go();
      }
      own.clear();
    };
    const held = () =>
      new Promise<void>((resolve) => {
        own.add(resolve);
        waiting.add(resolve);
        hit();
      });
    const { kind, times = 1 } = request;
    const { retryAfter = 1, status = 500, error = 'internal_error' } = 'method' in request ? request : {};
    const entry: Armed = { request, left: times, strike: { kind, retryAfter, status, error, hit, held } };
    armed.push(entry);
    return {
      struck,
      release,
      remove() {
        armed = armed.filter((other) => other !== entry);
      },
    };
  }

  function take(matches: (request: FaultRequest) => boolean) {
    const entry = armed.find(({ request, left }) => left > 0 && matches(request));
    if (entry) entry.left--;
    return entry?.strike;
  }

  function releaseAll(): void {
    for (const go of waiting) go();
    waiting.clear();
  }

  return {
    add,
    takeCall: (method) =>
      take((request) => 'method' in request && request.method === method) as Strike<CallFaultKind> | undefined,
    takeDelivery: ({ kind, event }) =>
      take(
        (request) =>
          'delivery' in request &&
          request.delivery === kind &&
          (request.event === undefined || request.event === event),
      ) as Strike<DeliveryFaultKind> | undefined,
    releaseAll,
    clear() {
      armed = [];
      releaseAll();
    },
  };
}
