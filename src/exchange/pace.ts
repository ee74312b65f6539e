import type { Limits } from './limits.ts';

/**
 * Measures the time in which a transfer waits for the service. Time in which the service waits for us, for Slack or for
 * a slow reader doesn't count. A transfer is stopped if the service is too slow, to free its slot for another one.
 */
export class Pace {
  readonly #limits: Limits;
  readonly #timer: NodeJS.Timeout;
  #waitingSince: number | undefined;
  #waitedMs = 0;
  #bytes = 0;
  #window = { waitedMs: 0, bytes: 0 };

  constructor(limits: Limits, onSlow: () => void) {
    this.#limits = limits;
    this.#timer = setInterval(() => this.#checkPace() && onSlow(), limits.paceMs / 4);
  }

  /** From now on we wait for the service. */
  waitForService(): void {
    this.#waitingSince ??= performance.now();
  }

  /** From now on the service waits for us. */
  stopWaiting(): void {
    this.#waitedMs = this.#totalWaitedMs();
    this.#waitingSince = undefined;
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #totalWaitedMs(): number {
    return this.#waitedMs + (this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince);
  }

  /** Returns true if the service is too slow. If it was fast enough in the last window, starts the next one. */
  #checkPace(): boolean {
    const { paceMs, paceBytes, transferMs, transferBytesPerSecond } = this.#limits;
    const waitedMs = this.#totalWaitedMs();
    if (waitedMs > transferMs + (this.#bytes / transferBytesPerSecond) * 1000) return true;
    if (waitedMs - this.#window.waitedMs < paceMs) return false;
    if (this.#bytes - this.#window.bytes < paceBytes) return true;
    this.#window = { waitedMs, bytes: this.#bytes };
    return false;
  }
}
