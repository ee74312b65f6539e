import { createFieldErrors } from '../../../lib/errors.ts';
import { actions, button, line } from '../../../slack/blocks.ts';
import type { Filled } from '../../../slack/form.ts';
import type { Interaction } from '../../../slack/interaction.ts';
import { andList } from '../../../slack/words.ts';
import type { Chosen } from '../../contacts/list/ids.ts';
import { contactId, groupId } from '../../contacts/list/ids.ts';
import { cachedContacts } from '../../contacts/list/operations.ts';
import { findChoice, knownRecipients } from '../../contacts/list/suggest.ts';
import { expectExpiryOrDate, typedDate, typedExpiryOrDate } from '../../settings/expiry.ts';
import { type ExpiryUnit, readSettings } from '../../settings/repository.ts';
import { postDraftNotice } from '../../staging/notify.ts';
import { changeDraft, type Draft, readDraft } from '../../staging/repository.ts';
import type { TransferUiServices } from '../shown-kind.ts';
import type { SendDraft } from './operations.ts';
import { sendMetadata } from './views.ts';

/** Reads what was entered, and saves it as a draft in case the form is lost. */
export async function readAndSaveForm(
  services: TransferUiServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<SendDraft> {
  const errors = createFieldErrors();
  const { chosen, problem } = await findChoice(services, interaction.actor, filled);
  if (problem !== undefined) errors.add(problem);
  const { expiryUnit } = await readSettings(services, interaction.actor);
  const zone = await services.people.zoneOf(interaction.actor);
  const attached = filled.files('files').map(({ id }) => id);
  const entered = { ...chosen, expiry: expiryIn(filled, expiryUnit, zone), attached };
  const { staged } = await changeDraft(services, interaction.actor, (draft) =>
    draftChanges(draft, interaction, filled, metadata, entered),
  );
  const expiresAfter = errors.check(() =>
    expectExpiryOrDate(filled.text('expiresAfter'), expiryUnit, 'expiresAfter', zone),
  );
  return {
    ...chosen,
    files: [...filled.choices('staged').filter((id) => staged.includes(id)), ...attached],
    message: filled.text('message'),
    expiresAfter: expiresAfter ?? Number.NaN,
    expiryDate: expiresAfter === undefined ? undefined : typedDate(filled.text('expiresAfter'), expiryUnit),
    errors: errors.all(),
  };
}

/**
 * Saves the form's content on every change, because Slack doesn't send it when the form is closed. Slack sends files
 * only on submit. Ignores forms that were sent, and changes older than the last saved one. `at` is the time of the
 * change; without it, the change counts as the latest.
 */
export async function saveEntered(
  services: TransferUiServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
  at?: number,
): Promise<void> {
  await services.draftSaves.run(formIdOf(interaction), async () => {
    const chosen = await currentRecipients(services, interaction, filled);
    const { expiryUnit } = await readSettings(services, interaction.actor);
    const zone = await services.people.zoneOf(interaction.actor);
    const entered = { ...chosen, expiry: expiryIn(filled, expiryUnit, zone), at };
    await changeDraft(services, interaction.actor, (draft) => {
      const isLate = at !== undefined && draft.form?.view === formIdOf(interaction) && at <= draft.form.at;
      return isLate || draft.sent.includes(formIdOf(interaction))
        ? {}
        : draftChanges(draft, interaction, filled, metadata, entered);
    });
  });
}

/** Offers to continue a closed form, if anything was entered into it. */
export async function notifyDraftSaved(
  services: TransferUiServices,
  interaction: Interaction,
  metadata: string,
): Promise<void> {
  await services.draftSaves.idle(formIdOf(interaction));
  const draft = await readDraft(services, interaction.actor);
  if (draft.form?.view !== formIdOf(interaction)) return;
  const { message, expiryDefault } = await readSettings(services, interaction.actor);
  const saved = [
    ...(draft.recipients.length + draft.groups.length > 0 ? ['recipients'] : []),
    ...(messageFilesIn(metadata).some((id) => draft.joined.includes(id)) ? ['files of the message'] : []),
    ...((draft.message ?? '') !== '' && draft.message !== message ? ['message'] : []),
    ...(draft.expiryDate !== undefined || (draft.expiresAfter ?? expiryDefault) !== expiryDefault ? ['expiry'] : []),
  ];
  // Slack has already asked the person to confirm that the form is closed.
  const closedMessage = `Your draft is saved: ${andList(saved)}. If you attached files, attach them again.`;
  if (saved.length > 0) await offerToContinue(services, interaction, closedMessage);
}

export async function offerToContinue(
  services: TransferUiServices,
  { actor }: Interaction,
  saved = 'Your draft is saved.',
): Promise<void> {
  const text = `Nothing was sent. ${saved}`;
  const blocks = [line(text), actions(button('Continue', 'send.open', { style: 'primary' }))];
  await postDraftNotice(services, actor, 'saved', actor.person, { text, blocks });
}

interface EnteredInForm extends Chosen {
  expiry: Pick<Draft, 'expiresAfter' | 'expiryDate'> | undefined;
  at?: number;
  /** Slack reports attached files only when the form is submitted. */
  attached?: readonly string[];
}

/** The draft's new values. Fields that the form doesn't have stay unchanged. */
function draftChanges(
  draft: Draft,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
  { recipients, groups, expiry, at, attached }: EnteredInForm,
) {
  const view = formIdOf(interaction);
  const { at: savedAt, files } = draft.form?.view === view ? draft.form : { at: 0, files: [] };
  const messageFiles = messageFilesIn(metadata);
  // Ignores files that the form didn't offer: a forged value could be another person's file.
  const offered = [...messageFiles, ...draft.staged, ...files];
  // Attached files can't be put back into a form, so they become staged files.
  const chosen = [...filled.choices('staged').filter((id) => offered.includes(id)), ...(attached ?? [])];
  const initial = filled.has('staged') ? filled.initialChoices('staged') : [];
  // After an error, the form can be submitted with fewer attached files.
  const removable = [...initial, ...messageFiles, ...(attached === undefined ? [] : files)];
  const removed = removable.filter((id) => !chosen.includes(id));
  const unstaged = removed.filter((id) => draft.joined.includes(id));
  return {
    recipients: [...recipients],
    groups: [...groups],
    staged: [...new Set([...draft.staged.filter((id) => !unstaged.includes(id)), ...chosen])],
    joined: [...new Set([...draft.joined, ...chosen.filter((id) => !draft.staged.includes(id))])],
    unticked: [...new Set([...draft.unticked, ...removed])].filter((id) => !chosen.includes(id)),
    ...(filled.has('message') ? { message: filled.text('message') } : {}),
    ...expiry,
    form: { view, at: at ?? savedAt, files: [...new Set([...files, ...(attached ?? []), ...unstaged])] },
  };
}

function expiryIn(
  filled: Filled,
  unit: ExpiryUnit,
  zone: string,
): Pick<Draft, 'expiresAfter' | 'expiryDate'> | undefined {
  const text = filled.text('expiresAfter');
  const expiresAfter = typedExpiryOrDate(text, unit, zone);
  return expiresAfter === undefined ? undefined : { expiresAfter, expiryDate: typedDate(text, unit) };
}

/** Runs for every character, so it reads cached contacts and ignores unknown recipients. */
async function currentRecipients(
  services: TransferUiServices,
  interaction: Interaction,
  filled: Filled,
): Promise<Chosen> {
  const draft = await readDraft(services, interaction.actor);
  const values = filled.choices('recipients');
  const savedIds = new Set([...draft.recipients.map(contactId), ...draft.groups.map(groupId)]);
  const isSame = savedIds.size === values.length && values.every((value) => savedIds.has(value));
  if (isSame || !filled.has('recipients')) return draft;
  return cachedContacts(services, interaction.actor).then(
    (lists) => knownRecipients(lists, values),
    () => draft, // the service didn't answer
  );
}

const messageFilesIn = (metadata: string): string[] => sendMetadata.read(metadata)?.files ?? [];

const formIdOf = ({ view }: Interaction): string => view?.id ?? '';
