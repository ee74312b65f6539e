import type { Limits } from './limits.ts';

/**
 * Measures the time in which a transfer waits for the service. Time in which the service waits for us, for Slack or for
 * a slow reader doesn't count. A service that is too slow must not occupy a slot that another transfer could use.
 */
export class Pace {
  readonly #limits: Limits;
  readonly #timer: NodeJS.Timeout;
  #turnSince: number | undefined;
  #takenMs = 0;
  #bytes = 0;
  #window = { takenMs: 0, bytes: 0 };

  constructor(limits: Limits, onSlow: () => void) {
    this.#limits = limits;
    this.#timer = setInterval(() => this.#isTooSlow() && onSlow(), limits.paceMs / 4);
  }

  /** From now on we wait for the service. */
  servicesTurn(): void {
    this.#turnSince ??= performance.now();
  }

  /** From now on the service waits for us. */
  ourTurn(): void {
    this.#takenMs = this.#taken();
    this.#turnSince = undefined;
  }

  moved(bytes: number): void {
    this.#bytes += bytes;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #taken(): number {
    return this.#takenMs + (this.#turnSince === undefined ? 0 : performance.now() - this.#turnSince);
  }

  #isTooSlow(): boolean {
    const { paceMs, paceBytes, transferMs, transferBytesPerSecond } = this.#limits;
    const takenMs = this.#taken();
    if (takenMs > transferMs + (this.#bytes / transferBytesPerSecond) * 1000) return true;
    if (takenMs - this.#window.takenMs < paceMs) return false;
    if (this.#bytes - this.#window.bytes < paceBytes) return true;
    this.#window = { takenMs, bytes: this.#bytes };
    return false;
  }
}
