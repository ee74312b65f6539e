import { bounds } from '../bounds.ts';
import { createLimiter } from '../limiter.ts';
import { type ClamdOptions, readVersion, type Scan, startScan } from './clamd.ts';
import type { Verdict } from './verdict.ts';

export interface Scanner {
  /** Larger files aren't scanned. */
  maxBytes: number;
  /** Whether the operator forbids files that weren't scanned (SCAN_REQUIRED). */
  isRequired: boolean;
  /**
   * Waits until fewer than two scans of this key run in this process. Call the returned function when the scan has
   * ended.
   */
  acquire(key: string, signal: AbortSignal): Promise<() => void>;
  start(): Scan;
  /** Counts a verdict on a file. */
  count(verdict: Verdict): void;
  readVersion(): Promise<string>;
}

export interface ScannerOptions extends ClamdOptions {
  isRequired: boolean;
  onVerdict?: (state: Verdict['state']) => void;
}

export function createScanner({ isRequired, onVerdict, ...clamd }: ScannerOptions): Scanner {
  const limiter = createLimiter(bounds.scansPerWorkspace);
  return {
    maxBytes: clamd.maxBytes,
    isRequired,
    acquire: (key, signal) =>
      new Promise((resolve, reject) => {
        limiter.run(key, () => new Promise<void>((release) => resolve(release)), signal).catch(reject);
      }),
    start: () => startScan(clamd),
    count: ({ state }) => onVerdict?.(state),
    readVersion: () => readVersion(clamd),
  };
}
