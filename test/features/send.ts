import { confirmSend, prepareSend } from '../../src/features/transfers/kinds/send/operations.ts';
import { anna, type FeaturesSetup } from '../helpers/features.ts';

/** A confirmed transfer that is still queued. */
export async function confirmed({ services, shelf }: FeaturesSetup): Promise<string> {
  const files = [shelf.put('F1', 'a.txt', 'A')];
  const draft = { receivers: ['carl@example.org'], groups: [], files, message: '', timeToLive: 1 };
  const { confirmation } = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, confirmation);
  return confirmation;
}
