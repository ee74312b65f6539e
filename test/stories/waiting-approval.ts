import { expect } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { allOf, transfersIn } from '../../src/features/transfers/repository.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { type Policy, policyWith, saveApproval } from '../features/approval.ts';
import type { AppSetup } from '../helpers/app.ts';
import { stages } from '../helpers/send-steps.ts';

export const setApproval = ({ acme, anna, services }: AppSetup, policy: Policy) =>
  saveApproval(services, { workspace: acme.id, person: anna.id }, policyWith(policy));

export async function requestsApproval(person: Person): Promise<void> {
  await person.submits('Request approval');
  await person.sees("Waiting for approval. I'll update you in our direct messages.");
  await person.closes();
}

export async function approves(person: Person): Promise<void> {
  await person.opens('Dropline');
  await person.clicks('Review');
  await person.submits('Approve');
  await person.sees(`Approved by @${person.name}`);
  await person.closes();
}

/** Bo sends a file that expires on a date, and waits for Anna's approval. Returns the id of the transfer. */
export async function requestsApprovalWithDate(app: AppSetup, date: string): Promise<string> {
  const { acme, anna, bo, services } = app;
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { expiryUnit: 'days', expiryDefault: 3 });
  await setApproval(app, { every: true, approvers: [anna.id] });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.fills('Expires after (days)', date);
  await bo.submits('Review');
  await bo.sees(/Total 8 bytes · Expires (?!after)/);
  await requestsApproval(bo);
  const [transfer] = await allOf(transfersIn(services.store).active({ workspace: acme.id }));
  expect(transfer).toMatchObject({ expiryDate: date });
  return transfer?.id ?? '';
}
