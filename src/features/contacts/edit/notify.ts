import { z } from 'zod';
import { line } from '../../../slack/blocks.ts';
import { contentOf, post } from '../../../slack/messages.ts';
import { defineCollection, type Store } from '../../../store/index.ts';
import type { EditOutcome } from '../../common/services.ts';
import type { SlackSide } from '../../common/ui-services.ts';
import { isAllowed } from '../../settings/permission.ts';
import { readSettings } from '../../settings/stored.ts';
import { typedContact } from './form.ts';
import { offerBlocks, outcomeText, outcomeView } from './views.ts';

/** Where a person waits for the end of an edit, and what they typed. */
const waiting = z.object({
  /** The modal that will show the outcome. */
  view: z.string().optional(),
  /** The person's position in the contacts. */
  place: z.string(),
  /** What the edit changes, for a direct message that is read out of context. */
  about: z.string(),
  /** The form to continue from, if the edit fails. */
  typed: typedContact.optional(),
});
export type Waiting = z.infer<typeof waiting>;

const outcomes = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('done'),
    added: z.number(),
    updated: z.number(),
    removed: z.number(),
    mended: z.array(z.string()),
  }),
  z.object({ state: z.literal('failed'), code: z.string(), sentence: z.string(), names: z.array(z.string()) }),
]);

/** Restored contacts are called `mended` in stored values. */
function toStored(outcome: EditOutcome): z.input<typeof outcomes> {
  if (outcome.state === 'failed') return { ...outcome, names: [...outcome.names] };
  const { restored, ...rest } = outcome;
  return { ...rest, mended: restored };
}

function fromStored(stored: z.output<typeof outcomes>): EditOutcome {
  if (stored.state === 'failed') return stored;
  const { mended, ...rest } = stored;
  return { ...rest, restored: mended };
}

const lifeMs = 86_400_000;

const waiters = defineCollection('edit-waiting', waiting);
const endedEdits = defineCollection('edit-ended', outcomes);

export function waitFor(store: Store, workspace: string, edit: string, waiter: Waiting): Promise<void> {
  return store.collection(waiters).set(workspace, waiter, { name: edit, ttlMs: lifeMs });
}

/** What a person typed for an edit; undefined if nothing was typed, or after a day. */
export async function typedFor(store: Store, workspace: string, edit: string): Promise<Waiting['typed']> {
  return (await store.collection(waiters).get(workspace, edit))?.typed;
}

interface Ended {
  workspace: string;
  id: string;
  person: string;
}

/** Shows the outcome in the modal where the person waits, or in a direct message if no modal is open. */
export async function notifyContactsEdited(
  slack: SlackSide,
  store: Store,
  edit: Ended,
  outcome: EditOutcome,
): Promise<void> {
  const { workspace, id, person } = edit;
  await store.collection(endedEdits).set(workspace, toStored(outcome), { name: id, ttlMs: lifeMs });
  if (await showOutcome(slack, store, edit, outcome)) return;
  const { about = 'Contacts' } = (await store.collection(waiters).get(workspace, id)) ?? {};
  const text = `${about}. ${outcomeText(outcome)}`;
  const blocks = [line(text), ...offerBlocks(await offersFor(slack, store, edit, outcome))];
  const client = await slack.clientOf(workspace);
  await post(client, person, contentOf(text, blocks));
}

/** The modal now shows something else, which the outcome must not replace. */
export async function stopShowing(store: Store, workspace: string, edit: string): Promise<void> {
  const found = await store.collection(waiters).get(workspace, edit);
  if (found !== undefined) await waitFor(store, workspace, edit, { ...found, view: undefined });
}

/**
 * Shows the outcome again if the edit has ended: the view "Saving" comes with the answer to the form, and can arrive
 * after the outcome.
 */
export async function showIfEnded(slack: SlackSide, store: Store, edit: Ended): Promise<void> {
  const outcome = await store.collection(endedEdits).get(edit.workspace, edit.id);
  if (outcome !== undefined) await showOutcome(slack, store, edit, fromStored(outcome));
}

async function showOutcome(slack: SlackSide, store: Store, edit: Ended, outcome: EditOutcome): Promise<boolean> {
  const { view, place: position = '' } = (await store.collection(waiters).get(edit.workspace, edit.id)) ?? {};
  if (view === undefined) return false;
  const client = await slack.clientOf(edit.workspace);
  const shown = outcomeView(outcome, await offersFor(slack, store, edit, outcome), position);
  return client.views.update({ view_id: view, view: shown }).then(
    () => true,
    () => false, // the modal was closed
  );
}

/** What this person can do about a failure. */
async function offersFor(slack: SlackSide, store: Store, { workspace, id, person }: Ended, outcome: EditOutcome) {
  if (outcome.state === 'done') return {};
  const settings = await readSettings({ store }, workspace);
  const typed = await typedFor(store, workspace, id);
  const isRefused = outcome.code === 'only-adds' && !settings.contactsOnlyAdd;
  const role = isRefused ? await slack.people.roleOf({ workspace, person }) : 'none';
  return {
    ...(typed === undefined ? {} : { again: id }),
    onlyAdds: isRefused && isAllowed(settings, role, person, 'admin') ? id : undefined,
  };
}
