import { confirmSend, prepareSend } from '../../src/features/transfers/kinds/send/operations.ts';
import { anna, type FeaturesSetup } from '../helpers/features.ts';

/** A confirmed transfer that is still queued. */
export async function confirmed({ services, shelf }: FeaturesSetup): Promise<string> {
  const files = [shelf.put('F1', 'plan.pdf', 'the plan')];
  const draft = { files, receivers: ['carl@example.org'], groups: [], message: '', timeToLive: 7 };
  const { confirmation } = await prepareSend(services, anna, draft);
  await confirmSend(services, anna, confirmation);
  return confirmation;
}
