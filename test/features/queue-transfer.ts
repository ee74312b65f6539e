import { confirmSend, prepareSend } from '../../src/features/transfers/kinds/send/operations.ts';
import { anna, type FeaturesSetup } from '../helpers/features.ts';

/** Confirms a transfer of Anna's, which stays queued until a worker starts. Returns its id. */
export async function queueTransfer({ services, sourceFiles }: FeaturesSetup): Promise<string> {
  const files = [sourceFiles.put('F1', 'a.txt', 'A')];
  const draft = { receivers: ['carl@example.org'], groups: [], files, message: '', timeToLive: 1 };
  const { confirmation } = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, confirmation);
  return confirmation;
}
