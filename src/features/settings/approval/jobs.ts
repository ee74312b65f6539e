import { jobKind } from '../../../jobs/index.ts';
import type { Services } from '../../common/services.ts';

/** The approvers of a workspace have changed while transfers might wait for them. */
export const approversKind = jobKind('approvers', ['workspace']);

export async function queueApproversChanged({ queue }: Pick<Services, 'queue'>, workspace: string): Promise<void> {
  await queue.add(approversKind, { workspace }, { key: `approvers ${workspace}` });
}
