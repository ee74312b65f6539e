import { z } from 'zod';
import { defineCollection } from '../../../store/index.ts';
import type { Services } from '../../common/services.ts';

/** Whether every process must scan the files that it relays. Deployment-wide, because processes can differ. */
const scanRequirement = defineCollection('scan-requirement', z.literal(true));
const owner = 'deployment';

/** Stores this process's SCAN_REQUIRED. If it isn't set, the requirement of another process stays. */
export async function storeScanRequirement(
  { store, log }: Pick<Services, 'store' | 'log'>,
  isRequired: boolean | undefined,
): Promise<void> {
  const requirement = store.collection(scanRequirement);
  if (isRequired === true) await requirement.set(owner, true);
  else if (isRequired === false && (await requirement.take(owner)) !== undefined)
    log.warn({}, 'files no longer have to be scanned: SCAN_REQUIRED is false');
}

/** Whether the operator forbids files that weren't scanned, in any process. */
export async function isScanRequired({ store, scanner }: Pick<Services, 'store' | 'scanner'>): Promise<boolean> {
  return scanner?.isRequired === true || (await store.collection(scanRequirement).get(owner)) === true;
}

/** What the views say about scanning. */
export interface ScannerInfo {
  /** Whether this process has a scanner. */
  hasScanner: boolean;
  isRequired: boolean;
}

export const scannerInfo = async (services: Pick<Services, 'store' | 'scanner'>): Promise<ScannerInfo> => ({
  hasScanner: services.scanner !== undefined,
  isRequired: await isScanRequired(services),
});
