import { changeSettings } from '../../src/features/settings/operations.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import type { AppSetup } from '../helpers/app.ts';

/**
 * Reproduces what real Slack does: the form is submitted with values of an earlier form and none of its own. All fields
 * become optional because the client doesn't submit a required field without a value.
 */
export function omitFieldValues({ acme }: AppSetup, person: Person): void {
  const view = acme.views.find(({ id }) => id === person.client.modals.at(-1));
  if (view === undefined) throw new Error('no form is open');
  view.values = { 'admins~0': {} };
  view.body.blocks = view.body.blocks.map((block) => ({ ...block, optional: true }));
}

export const changeAsAnna = ({ services, acme, anna }: AppSetup, changes: Parameters<typeof changeSettings>[2]) =>
  changeSettings(services, { workspace: acme.id, person: anna.id }, changes);
