import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import { anna, type FeaturesSetup } from '../helpers/features.ts';

/** Confirms a transfer of Anna's, which is queued until a worker runs it. Returns its id. */
export async function queueTransfer({ services, sourceFiles }: FeaturesSetup): Promise<string> {
  const files = [sourceFiles.put('F1', 'a.txt', 'A')];
  const draft = { recipients: ['carl@example.org'], groups: [], files, message: '', expiresAfter: 1 };
  const { reviewId } = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, reviewId);
  return reviewId;
}
