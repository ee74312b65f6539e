import { z } from 'zod';
import { line } from '../../../slack/blocks.ts';
import { contentOf, post } from '../../../slack/messages.ts';
import { defineCollection, type Store } from '../../../store/index.ts';
import type { EditOutcome } from '../../common/services.ts';
import type { SlackAccess } from '../../common/ui-services.ts';
import { isAllowed } from '../../settings/permission.ts';
import { readSettings } from '../../settings/repository.ts';
import { typedContact } from './form.ts';
import { offerBlocks, outcomeText, outcomeView } from './views.ts';

/** Where a person waits for the outcome of an edit, and what they typed. */
const waiterSchema = z.object({
  /** The modal that will show the outcome. */
  view: z.string().optional(),
  /** The person's position in the contacts. */
  place: z.string(),
  /** What the edit changes, for the direct message, which people read without the form. */
  about: z.string(),
  /** The contents of the form, to reopen it if the edit fails. */
  typed: typedContact.optional(),
});
export type Waiter = z.infer<typeof waiterSchema>;

const outcomeSchema = z.discriminatedUnion('state', [
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
function toStored(outcome: EditOutcome): z.input<typeof outcomeSchema> {
  if (outcome.state === 'failed') return { ...outcome, names: [...outcome.names] };
  const { restored, ...rest } = outcome;
  return { ...rest, mended: restored };
}

function fromStored(stored: z.output<typeof outcomeSchema>): EditOutcome {
  if (stored.state === 'failed') return stored;
  const { mended, ...rest } = stored;
  return { ...rest, restored: mended };
}

const outcomeTtlMs = 86_400_000;

const waiters = defineCollection('edit-waiting', waiterSchema);
const endedEdits = defineCollection('edit-ended', outcomeSchema);

export function recordWaiter(store: Store, workspace: string, edit: string, waiter: Waiter): Promise<void> {
  return store.collection(waiters).set(workspace, waiter, { name: edit, ttlMs: outcomeTtlMs });
}

/** What a person typed for an edit; undefined if nothing was typed, or after a day. */
export async function typedFor(store: Store, workspace: string, edit: string): Promise<Waiter['typed']> {
  return (await store.collection(waiters).get(workspace, edit))?.typed;
}

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
  await store.collection(endedEdits).set(workspace, toStored(outcome), { name: id, ttlMs: outcomeTtlMs });
  if (await showOutcome(slack, store, edit, outcome)) return;
  const { about = 'Contacts' } = (await store.collection(waiters).get(workspace, id)) ?? {};
  const text = `${about}. ${outcomeText(outcome)}`;
  const blocks = [line(text), ...offerBlocks(await offersFor(slack, store, edit, outcome))];
  const client = await slack.clientOf(workspace);
  await post(client, person, contentOf(text, blocks));
}

/** Keeps the outcome from replacing what the modal shows now. The outcome comes in a direct message instead. */
export async function detachModal(store: Store, workspace: string, edit: string): Promise<void> {
  const found = await store.collection(waiters).get(workspace, edit);
  if (found !== undefined) await recordWaiter(store, workspace, edit, { ...found, view: undefined });
}

/**
 * Shows the outcome again if the edit has ended. The "Saving" view is the answer to the submitted form: it can arrive
 * after the outcome and replace it.
 */
export async function showOutcomeIfEnded(slack: SlackAccess, store: Store, edit: EndedEdit): Promise<void> {
  const outcome = await store.collection(endedEdits).get(edit.workspace, edit.id);
  if (outcome !== undefined) await showOutcome(slack, store, edit, fromStored(outcome));
}

async function showOutcome(slack: SlackAccess, store: Store, edit: EndedEdit, outcome: EditOutcome): Promise<boolean> {
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
async function offersFor(slack: SlackAccess, store: Store, { workspace, id, person }: EndedEdit, outcome: EditOutcome) {
  if (outcome.state === 'done') return {};
  const settings = await readSettings({ store }, workspace);
  const typed = await typedFor(store, workspace, id);
  const isRefused = outcome.code === 'only-adds' && !settings.contactsOnlyAdd;
  const role = isRefused ? await slack.people.roleOf({ workspace, person }) : 'none';
  return {
    ...(typed === undefined ? {} : { reopen: id }),
    onlyAdds: isRefused && isAllowed(settings, role, person, 'admin') ? id : undefined,
  };
}
