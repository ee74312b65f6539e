export type { ClamdAddress, Scan, ScanLimits } from './clamd.ts';
export { extensionsOf, isKnown, kindOf, readStart } from './file-kind.ts';
export { ScannedStream } from './scanned-stream.ts';
export { createScanner, type Scanner } from './scanner.ts';
export { cancelled, notScanned, tooLarge, type Verdict, verdictStates } from './verdict.ts';
