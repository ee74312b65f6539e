import type { Person } from '../../src/sandbox/slack/index.ts';
import { type Policy, policyWith, saveApproval } from '../features/approval.ts';
import { type AppSetupOptions, setUpApp } from '../helpers/app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';

/** Shares a file, fills in the send form and requests approval. */
export async function asksForApproval(person: Person): Promise<void> {
  await stages(person, [{ name: 'plan.pdf', data: 'the plan' }]);
  await person.types('/drop send', { in: 'Dropline' });
  await person.picks('To', 'carl');
  await person.fills('Message', 'As discussed');
  await person.submits('Review');
  await person.sees('Needs approval: every transfer');
  await person.submits('Request approval');
  await person.sees("Waiting for approval. I'll update you in our direct messages.");
  await person.closes();
  await person.sees('Approval needed: every transfer. The approvers have been notified.');
}

export const opensReview = async (person: Person) => {
  await person.opens('Dropline');
  await person.clicks('Review');
  await person.sees('Approve');
};

export async function setUpApproval(
  postgres: TestPostgres,
  policyOf: (people: { anna: Person; cleo: Person }) => Policy,
  options?: AppSetupOptions,
) {
  const setup = await setUpApp(postgres, options);
  const { acme, anna, services } = setup;
  const cleo = acme.addPerson({ name: 'Cleo' });
  const policy = policyWith(policyOf({ anna, cleo }));
  await saveApproval(services, { workspace: acme.id, person: anna.id }, policy);
  return { ...setup, cleo };
}
