import { confirmDispatch, prepareDispatch } from '../../src/features/send/operations.ts';
import { anna, type FeaturesSetup } from '../helpers/features.ts';

/** A confirmed transfer that is still queued. */
export async function confirmed({ services, shelf }: FeaturesSetup): Promise<string> {
  const files = [shelf.put('F1', 'plan.pdf', 'the plan')];
  const draft = { files, receivers: ['carl@example.org'], groups: [], message: '', timeToLive: 7 };
  const { confirmation } = await prepareDispatch(services, anna, draft);
  await confirmDispatch(services, anna, confirmation);
  return confirmation;
}
