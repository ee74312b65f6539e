import { line } from '../../../slack/blocks.ts';
import { stamped } from '../../../slack/desk-key.ts';
import { contentOf, post, withDeskName } from '../../../slack/messages.ts';
import type { Store } from '../../../store/index.ts';
import type { Actor, EditOutcome } from '../../common/services.ts';
import type { SlackAccess } from '../../common/slack-services.ts';
import { deskKeyOf } from '../../settings/membership.ts';
import { rightsOf } from '../../settings/permission.ts';
import { type EditOrigin, editsIn } from './repository.ts';
import { type Offers, offerBlocks, outcomeText, outcomeView } from './views.ts';

interface EndedEdit extends Actor {
  id: string;
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
  const { origin } = await editsIn(store).readShown(workspace, id);
  const offers = await offersFor(slack, store, edit, outcome, origin);
  if (await showOutcome(slack, store, edit, origin, outcome, offers)) return;
  const text = `${origin?.about ?? 'Contacts'}. ${outcomeText(outcome)}`;
  const content = contentOf(text, [line(text), ...offerBlocks(offers)]);
  await post(await slack.clientOf(workspace), person, withDeskName(content, await store.credentials.nameOf(edit)));
}

/**
 * Stops showing the outcome of an edit in its modal, because the modal shows something else now. The outcome is sent in
 * a direct message instead.
 */
export async function detachModal(store: Store, workspace: string, edit: string): Promise<EditOrigin | undefined> {
  const { origin } = await editsIn(store).readShown(workspace, edit);
  if (origin !== undefined) await editsIn(store).setOrigin(workspace, edit, { ...origin, view: undefined });
  return origin;
}

/**
 * Shows the outcome again if the edit has ended. The "Saving" view is the answer to the submitted form: it can arrive
 * after the outcome and replace it.
 */
export async function showOutcomeIfEnded(slack: SlackAccess, store: Store, edit: EndedEdit): Promise<void> {
  const { origin, report } = await editsIn(store).readShown(edit.workspace, edit.id);
  if (report === undefined) return;
  const offers = await offersFor(slack, store, edit, report, origin);
  await showOutcome(slack, store, edit, origin, report, offers);
}

/** Resolves with false if no modal waits for the outcome. */
async function showOutcome(
  slack: SlackAccess,
  store: Store,
  edit: EndedEdit,
  origin: EditOrigin | undefined,
  outcome: EditOutcome,
  offers: Offers,
): Promise<boolean> {
  if (origin?.view === undefined) return false;
  const client = await slack.clientOf(edit.workspace);
  const view = stamped(outcomeView(outcome, offers, origin.position), await deskKeyOf({ store }, edit));
  return client.views.update({ view_id: origin.view, view }).then(Boolean, () => false); // the modal was closed
}

/** What this person can do about a failure. */
async function offersFor(
  slack: SlackAccess,
  store: Store,
  { id, ...actor }: EndedEdit,
  outcome: EditOutcome,
  origin: EditOrigin | undefined,
): Promise<Offers> {
  if (outcome.state === 'done') return {};
  const { settings, isAdmin } = await rightsOf({ store, people: slack.people }, actor);
  const needsOnlyAdd = outcome.code === 'only-adds' && !settings.contactsOnlyAdd;
  return { reopen: origin?.typed && id, onlyAdds: needsOnlyAdd && isAdmin ? id : undefined };
}
