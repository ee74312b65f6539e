/** What a scan found. Only `clean` says that the whole file was scanned and nothing was found. */
export type Verdict =
  | { state: 'clean' }
  | { state: 'infected'; signature: string }
  | { state: 'not-scanned'; reason: string };

export const verdictStates: readonly Verdict['state'][] = ['clean', 'infected', 'not-scanned'];

export const notScanned = (reason: string): Verdict => ({ state: 'not-scanned', reason });

/** We stopped the scan, because the file is no longer needed. */
export const cancelled = notScanned('The scan was cancelled.');

export const tooLarge = notScanned('The file is larger than the scanner accepts.');
