import { line } from '../../../slack/blocks.ts';
import { contentOf, post } from '../../../slack/messages.ts';
import type { Store } from '../../../store/index.ts';
import type { EditOutcome } from '../../common/services.ts';
import type { SlackAccess } from '../../common/ui-services.ts';
import { isAllowed } from '../../settings/permission.ts';
import { readSettings } from '../../settings/repository.ts';
import { editsIn } from './repository.ts';
import { offerBlocks, outcomeText, outcomeView } from './views.ts';

interface EndedEdit {
  workspace: string;
  id: string;
  person: string;
}

/** Shows the outcome in the modal where the person waits, or in a direct message if no modal is open. */
export async function notifyContactsEdited(
  slack: SlackAccess,
  store: Store,
  edit: EndedEdit,
  outcome: EditOutcome,
): Promise<void> {
  const { workspace, id, person } = edit;
  await editsIn(store).setReport(workspace, id, outcome);
  if (await showOutcome(slack, store, edit, outcome)) return;
  const { about = 'Contacts' } = (await editsIn(store).readOrigin(workspace, id)) ?? {};
  const text = `${about}. ${outcomeText(outcome)}`;
  const blocks = [line(text), ...offerBlocks(await offersFor(slack, store, edit, outcome))];
  const client = await slack.clientOf(workspace);
  await post(client, person, contentOf(text, blocks));
}

/**
 * Stops showing the outcome of an edit in its modal, because the modal shows something else now. The outcome is sent in
 * a direct message instead.
 */
export async function detachModal(store: Store, workspace: string, edit: string): Promise<void> {
  const edits = editsIn(store);
  const origin = await edits.readOrigin(workspace, edit);
  if (origin !== undefined) await edits.setOrigin(workspace, edit, { ...origin, view: undefined });
}

/**
 * Shows the outcome again if the edit has ended. The "Saving" view is the answer to the submitted form: it can arrive
 * after the outcome and replace it.
 */
export async function showOutcomeIfEnded(slack: SlackAccess, store: Store, edit: EndedEdit): Promise<void> {
  const outcome = await editsIn(store).readReport(edit.workspace, edit.id);
  if (outcome !== undefined) await showOutcome(slack, store, edit, outcome);
}

async function showOutcome(slack: SlackAccess, store: Store, edit: EndedEdit, outcome: EditOutcome): Promise<boolean> {
  const { view, position = '' } = (await editsIn(store).readOrigin(edit.workspace, edit.id)) ?? {};
  if (view === undefined) return false;
  const client = await slack.clientOf(edit.workspace);
  const updatedView = outcomeView(outcome, await offersFor(slack, store, edit, outcome), position);
  return client.views.update({ view_id: view, view: updatedView }).then(
    () => true,
    () => false, // the modal was closed
  );
}

/** What this person can do about a failure. */
async function offersFor(slack: SlackAccess, store: Store, { workspace, id, person }: EndedEdit, outcome: EditOutcome) {
  if (outcome.state === 'done') return {};
  const settings = await readSettings({ store }, workspace);
  const typed = (await editsIn(store).readOrigin(workspace, id))?.typed;
  const needsOnlyAdd = outcome.code === 'only-adds' && !settings.contactsOnlyAdd;
  const role = needsOnlyAdd ? await slack.people.roleOf({ workspace, person }) : 'none';
  return {
    ...(typed === undefined ? {} : { reopen: id }),
    onlyAdds: needsOnlyAdd && isAllowed(settings, role, person, 'admin') ? id : undefined,
  };
}
