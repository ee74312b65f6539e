/**
 * Time passes because clocks move forward: `Date` of each process here, and `now()` of the database in
 * database-clock.ts. Moving stored times back instead would break audit entries, whose time is part of their
 * encryption, and miss times inside encrypted values, like the deadline of an approval. Timers keep running in real
 * time, so that requests in flight don't time out. Only what the bot does every hour is called explicitly.
 */
export interface Clock {
  readonly passedMs: number;
  move(ms: number): void;
  /** Calls what is scheduled with an interval of an hour or more. */
  runHourly(): Promise<void>;
  /** Restores the real clock, for tests. */
  remove(): void;
}

export const hourMs = 3_600_000;

/** Replaces the clock of this process. */
export function installClock(passedMs = 0): Clock {
  const real = { Date, setInterval };
  const hourly: (() => unknown)[] = [];
  let passed = passedMs;
  const now = () => real.Date.now() + passed;
  globalThis.Date = new Proxy(real.Date, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  globalThis.setInterval = new Proxy(real.setInterval, {
    apply(target, self, args: [() => unknown, number?]) {
      const [callback, ms = 0] = args;
      if (ms >= hourMs) hourly.push(callback);
      return Reflect.apply(target, self, args);
    },
  });
  return {
    get passedMs() {
      return passed;
    },
    move(ms) {
      passed += ms;
    },
    async runHourly() {
      await Promise.all(hourly.map((run) => run()));
    },
    remove: () => void Object.assign(globalThis, real),
  };
}
