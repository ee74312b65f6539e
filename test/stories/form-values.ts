import type { Person } from '../../src/sandbox/slack/index.ts';
import type { AppSetup } from '../helpers/app.ts';

/**
 * As it happens in real Slack: the form comes back with values of one that was there before, and with none of its own. The
 * client itself lets a required field go only with a value.
 */
export function loseValues({ acme }: AppSetup, person: Person): void {
  const view = acme.views.find(({ id }) => id === person.client.modals.at(-1));
  if (view === undefined) throw new Error('no form is open');
  view.values = { 'admins~0': {} };
  view.body.blocks = view.body.blocks.map((block) => ({ ...block, optional: true }));
}
