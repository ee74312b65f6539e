import { bounds } from '../lib/bounds.ts';
import { createLimiter } from '../lib/limiter.ts';
import { type ClamdOptions, readVersion, type Scan, startScan } from './clamd.ts';
import { cancelled, type Verdict } from './verdict.ts';

export type Scanner = ReturnType<typeof createScanner>;

export interface ScannerOptions extends ClamdOptions {
  isRequired: boolean;
  onVerdict?: (state: Verdict['state']) => void;
  /** Called after each scan that wasn't cancelled. */
  onScan?: (state: Verdict['state'], ms: number) => void;
}

export function createScanner({ isRequired, onVerdict, onScan, ...clamd }: ScannerOptions) {
  const limiter = createLimiter(bounds.scansPerWorkspace);
  const linkLimiter = createLimiter(bounds.linkScansPerWorkspace);
  return {
    /** Larger files aren't scanned. */
    maxBytes: clamd.maxBytes,
    /** Whether the operator forbids files that weren't scanned (SCAN_REQUIRED). */
    isRequired,
    /**
     * Waits until the workspace can start a scan in this process. Call the returned function when the scan has ended. A
     * scan for a browser waits only for others of that kind, of the same person first: slow readers hold theirs for
     * long.
     */
    acquire: (workspace: string, signal: AbortSignal, browserOf?: string) =>
      new Promise<() => void>((resolve, reject) => {
        const scan = () => new Promise<void>((release) => resolve(release));
        const scanForLink = () => linkLimiter.run(workspace, scan, signal);
        const [key, work] = browserOf === undefined ? [workspace, scan] : [`${workspace} ${browserOf}`, scanForLink];
        limiter.run(key, work, signal).catch(reject);
      }),
    start(): Scan {
      const started = performance.now();
      const scan = startScan(clamd);
      void scan.verdict.then((verdict) => {
        if (verdict !== cancelled) onScan?.(verdict.state, performance.now() - started);
      });
      return scan;
    },
    /** Counts a verdict on a file. */
    count: ({ state }: Verdict) => onVerdict?.(state),
    readVersion: () => readVersion(clamd),
  };
}
