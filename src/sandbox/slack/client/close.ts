import { deliver } from '../delivery/deliver.ts';
import { commonPayload } from '../delivery/payloads.ts';
import { viewJson } from '../state/json/view.ts';
import type { CloseScope, Json, Team, User, View } from '../state/model.ts';
import { isChanged } from '../state/values.ts';
import { clearModals, popModal, topModal } from '../state/views.ts';
import { clientOf, type World } from '../state/world.ts';

/**
 * Closes the top view with its own button, or all views with the cross in the corner. If something was
 * entered, Slack asks first, which no app can prevent. The title is Slack's wording; the other texts are ours.
 */
export async function requestClose(world: World, team: Team, user: User, scope: CloseScope): Promise<void> {
  const client = clientOf(team, user.id);
  const closing = scope === 'all' ? client.modals : client.modals.slice(-1);
  if (closing.length === 0) throw new Error('no form is open');
  const needsConfirmation = closing.some((id) => {
    const view = team.views.get(id);
    return view !== undefined && isChanged(view.body.blocks, view.values);
  });
  if (!needsConfirmation) return closeViews(world, team, user, scope);
  client.confirmation = {
    title: 'Are you sure you want to leave?',
    text: 'Your changes will be lost.',
    confirm: 'Leave',
    deny: 'Stay',
    action: { closing: scope },
  };
}

/** Closes without asking. If all views close, the bot is notified only of the bottom one. */
export async function closeViews(world: World, team: Team, user: User, scope: CloseScope): Promise<void> {
  const { modals } = clientOf(team, user.id);
  const view = scope === 'all' ? team.views.get(modals[0] ?? '') : topModal(team, user.id);
  if (!view) throw new Error('no form is open');
  if (scope === 'all') clearModals(team, user.id);
  else popModal(team, user.id);
  await reportClosed(world, team, user, view, scope === 'all');
}

async function reportClosed(world: World, team: Team, user: User, view: View, isCleared: boolean): Promise<void> {
  const client = clientOf(team, user.id);
  client.confirmation = undefined;
  client.notices = [];
  if (view.body.notify_on_close !== true) return;
  const payload: Json = {
    type: 'view_closed',
    ...commonPayload(world, team, user),
    team: { id: user.teamId, domain: team.domain },
    // Slack doesn't send what was entered.
    view: { ...viewJson(world, team, view), state: { values: {} } },
    is_cleared: isCleared,
  };
  await deliver(world, { kind: 'view_closed', teamId: team.id, payload });
}
