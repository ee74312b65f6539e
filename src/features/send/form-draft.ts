import { actions, button, line } from '../../slack/blocks.ts';
import type { Filled } from '../../slack/form.ts';
import type { Interaction } from '../../slack/interaction.ts';
import { andList } from '../../slack/words.ts';
import { contactId, groupId } from '../contacts/ids.ts';
import { contactsAtHand } from '../contacts/lists.ts';
import { changeDraft, type Draft, readDraft } from '../draft.ts';
import { createLatestOnlyQueue } from '../latest-only-queue.ts';
import type { Chosen } from '../recipients/operations.ts';
import { knownRecipients, readChoice } from '../recipients/suggest.ts';
import { readSettings } from '../settings/stored.ts';
import type { UiServices } from '../ui-services.ts';
import type { SendDraft } from './operations.ts';
import { sendMetadata } from './views.ts';

/** What was entered; kept as a draft until it is sent, whatever becomes of the form. */
export async function readForm(
  services: UiServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<SendDraft> {
  const { chosen } = await readChoice(services, interaction.actor.workspace, filled.choices('receivers'));
  const { tray: staged } = await readDraft(services, interaction.actor);
  const ticked = tickedIn(filled, staged, metadata);
  const attached = filled.files('files').map(({ id }) => id);
  await changeDraft(services, interaction.actor, (draft) => {
    const changed = changes(draft, interaction, filled, metadata, chosen);
    // What was attached to the form cannot be put into it again: it joins the tray.
    return { ...changed, tray: [...new Set([...changed.tray, ...attached])] };
  });
  return { ...chosen, files: [...ticked, ...attached], message: filled.text('message'), timeToLive: timeIn(filled) };
}

/** By the form: somebody types faster than it can be written down. */
const keeping = createLatestOnlyQueue();

/** While it is entered: Slack does not say what was in a form that is closed. Attached files can be read only later. */
export async function keepEntered(
  services: UiServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
  at: number,
): Promise<void> {
  await keeping.run(formOf(interaction), async () => {
    const chosen = await chosenNow(services, interaction, filled);
    await changeDraft(services, interaction.actor, (draft) => {
      const isLate = draft.form?.view === formOf(interaction) && at <= draft.form.at;
      return isLate || draft.sent.includes(formOf(interaction))
        ? {}
        : changes(draft, interaction, filled, metadata, chosen, at);
    });
  });
}

/** Offers to go on with a form that was closed, if anything was entered into it. */
export async function notifyDraftSaved(services: UiServices, interaction: Interaction): Promise<void> {
  await keeping.idle(formOf(interaction));
  const draft = await readDraft(services, interaction.actor);
  if (draft.form?.view !== formOf(interaction)) return;
  const { message, ttl } = await readSettings(services, interaction.actor.workspace);
  const kept = [
    ...(draft.receivers.length + draft.groups.length > 0 ? ['recipients'] : []),
    ...(draft.form.joined.length > 0 ? ['files of the message'] : []),
    ...((draft.message ?? '') !== '' && draft.message !== message ? ['message'] : []),
    ...((draft.timeToLive ?? ttl.usual) !== ttl.usual ? ['expiry'] : []),
  ];
  // Slack has asked whether to leave, and the person has said yes.
  const left = `You left the form, but your draft is saved: ${andList(kept)}. If you attached files, attach them again.`;
  if (kept.length > 0) await offerToContinue(interaction, left);
}

export async function offerToContinue(interaction: Interaction, kept = 'Your draft is saved.'): Promise<void> {
  const sentence = `Nothing was sent. ${kept}`;
  await interaction.write(sentence, [line(sentence), actions(button('Continue', 'send.open', { style: 'primary' }))]);
}

/** What the form says is taken over; what it does not speak of stays. */
function changes(
  draft: Draft,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
  { receivers, groups }: Chosen,
  at?: number,
) {
  const earlier = draft.form?.view === formOf(interaction) ? draft.form : { at: 0, joined: [] as string[] };
  // Files of a message are in the tray while they are ticked: it is offered whole, and ticked, the next time.
  const others = draft.tray.filter((id) => !earlier.joined.includes(id));
  const staged = [...new Set([...others, ...tickedIn(filled, draft.tray, metadata)])];
  const joined = staged.filter((id) => !others.includes(id));
  const timeToLive = timeIn(filled);
  return {
    receivers: [...receivers],
    groups: [...groups],
    tray: staged,
    ...(filled.has('message') ? { message: filled.text('message') } : {}),
    ...(Number.isFinite(timeToLive) ? { timeToLive } : {}),
    form: { view: formOf(interaction), at: at ?? earlier.at, joined },
  };
}

/** Nobody is asked to choose again, and the lists are not read for every character: who is not known is left out. */
async function chosenNow(services: UiServices, interaction: Interaction, filled: Filled): Promise<Chosen> {
  const draft = await readDraft(services, interaction.actor);
  const values = filled.choices('receivers');
  const known = new Set([...draft.receivers.map(contactId), ...draft.groups.map(groupId)]);
  const isSame = known.size === values.length && values.every((value) => known.has(value));
  if (isSame || !filled.has('receivers')) return draft;
  return contactsAtHand(services, interaction.actor.workspace).then(
    (lists) => knownRecipients(lists, values),
    () => draft, // the service does not answer, and nobody waits for that
  );
}

/** Only what the form offered: a value could be anybody's file. */
function tickedIn(filled: Filled, staged: readonly string[], metadata: string): string[] {
  const { files: extra } = sendMetadata.read(metadata) ?? { files: [] };
  return filled.choices('tray').filter((id) => extra.includes(id) || staged.includes(id));
}

function timeIn(filled: Filled): number {
  return Number(filled.text('timeToLive').replace(',', '.') || Number.NaN);
}

const formOf = ({ view }: Interaction): string => view?.id ?? '';
