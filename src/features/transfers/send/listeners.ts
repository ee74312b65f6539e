import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { type DroplineError, isDroplineError, mapFieldErrors } from '../../../lib/errors.ts';
import { withNewFileField } from '../../../slack/field-ids.ts';
import { type Filled, filledIn } from '../../../slack/form.ts';
import { type Interaction, openWhenReady } from '../../../slack/interaction.ts';
import { formWithText } from '../../../slack/rebuilt-form.ts';
import type { Click, FormAnswer, Routes, ShortcutMessage } from '../../../slack/routes.ts';
import { withNotice } from '../../../slack/views.ts';
import { andList } from '../../../slack/words.ts';
import type { Chosen } from '../../contacts/list/ids.ts';
import { contactsOf } from '../../contacts/list/operations.ts';
import { addressToAdd, findChoice, presetOptions, tooManyText, typedRecipient } from '../../contacts/list/suggest.ts';
import { pausesIn } from '../../pause/repository.ts';
import { deskChoice, expectShown, hasMissing, showFrom } from '../../settings/desks/fields.ts';
import { expectExpiryOrDate, typedDate } from '../../settings/expiry.ts';
import { chooseDesk } from '../../settings/membership.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { readSettings } from '../../settings/repository.ts';
import { inaccessibleFile } from '../../staging/errors.ts';
import { removeStaleButtons } from '../../staging/notify.ts';
import { lookUpFiles, unstageFiles } from '../../staging/operations.ts';
import { changeDraft, readDraft } from '../../staging/repository.ts';
import { offerValue, problemText } from '../../staging/views.ts';
import { confirmedView, undoneText } from '../cards/card.ts';
import { followInDialog, showConfirmed, showDeleted, showTransfer } from '../cards/notify.ts';
import { buttonExpired } from '../errors.ts';
import {
  cancelTransfer,
  readEntered,
  readRepeatable,
  tryWithdrawReview,
  undoTransfer,
  withdrawReview,
} from '../lifecycle/operations.ts';
import { markFileDeleted, startNow } from '../lifecycle/planned.ts';
import { transfersIn } from '../repository.ts';
import type { TransferUiServices } from '../shown-kind.ts';
import type { SendContent } from '../transfer.ts';
import { cardValue } from './card.ts';
import { addTypedContact, type MessageFiles, messageFiles, newContactRoutes } from './contact.ts';
import { fileProblem, messageWithoutFiles } from './errors.ts';
import { notifyDraftSaved, offerToContinue, readAndSaveForm, saveEntered } from './form.ts';
import { sendKind } from './kind.ts';
import { askAdmin, updateEnded } from './notify.ts';
import {
  confirmSend,
  prepareAgain,
  prepareSend,
  type Review,
  readSend,
  removeUnexpectedAndSend,
  restoreDraft,
  takeOver,
} from './operations.ts';
import {
  confirmMetadata,
  detailsView,
  maxOffered,
  type Problem,
  type ReviewedForm,
  reviewView,
  sendMetadata,
  sendView,
} from './views.ts';

export function sendRoutes(services: TransferUiServices): Routes {
  const contact = newContactRoutes(services, formOf);
  return {
    commands: {
      send: {
        aliases: ['dispatch'],
        usage: '[name]',
        summary: 'Send files to people outside',
        run: (interaction, nameWords) =>
          openWhenReady(interaction, 'Send files', () => formOf(services, interaction, [], { nameWords })),
      },
    },
    shortcuts: {
      'send.new': (interaction) => openForm(services, interaction),
      'send.message': (interaction, message) => openWithMessage(services, interaction, message),
    },
    events: {
      file_deleted: async ({ actor: { workspace } }, event) => {
        const { file_id: file } = deletedEvent.parse(event);
        for (const id of await markFileDeleted(services, workspace, file)) await showDeleted(services, id);
      },
    },
    forms: {
      'send.form': {
        submit: (interaction, filled, metadata) => review(services, interaction, filled, metadata),
        entered: async (interaction, filled, metadata, at, field) => {
          const isMissing = field === 'recipients' && interaction.view !== undefined && hasMissing(interaction.view);
          if (field === 'from' || isMissing) await showChosenDesk(services, interaction, filled, metadata);
          if (field === 'from') return;
          const address = field === 'recipients' ? addressToAdd(filled.choices('recipients')) : undefined;
          if (address === undefined) await saveEntered(services, interaction, filled, metadata, at);
          else await addTypedContact(services, interaction, address);
        },
        closed: (interaction, metadata) => notifyDraftSaved(services, interaction, metadata),
      },
      ...contact.forms,
      'send.confirm': {
        submit: (interaction, filled, metadata) => confirm(services, interaction, filled, metadata),
        after: (interaction, id) => afterConfirming(services, interaction, id),
        closed: (interaction, metadata) => withdraw(services, interaction, metadata),
      },
    },
    actions: {
      ...contact.actions,
      'send.open': (interaction) => openForm(services, interaction),
      'send.back': (interaction) => goBack(services, interaction),
      'send.offer': (interaction, click) => openOffered(services, interaction, click),
      'send.dismiss': async (interaction) => {
        await expectAllowed(services, interaction.actor, 'send');
        await interaction.dismiss();
      },
      'send.expiry': (interaction, click) => chooseExpiry(services, interaction, click),
      'send.unstage': (interaction, click) => removeStaged(services, interaction, click),
      'send.cancel': async (interaction, { value }) => {
        await cancelTransfer(services, interaction.actor, idOf(value));
        await showTransfer(services, idOf(value));
      },
      'send.undo': async (interaction, { value }) => {
        await interaction.openLoading('Send files');
        await undoTransfer(services, interaction.actor, idOf(value), interaction.view?.id);
        await showTransfer(services, idOf(value));
        await edit(services, interaction, idOf(value), undoneText);
      },
      'send.now': async (interaction, { value }) => {
        await startNow(services, interaction.actor, idOf(value));
        await showTransfer(services, idOf(value));
      },
      'send.details': (interaction, { value }) =>
        openWhenReady(interaction, 'Transfer', async () =>
          detailsView(await readSend(services, interaction.actor, idOf(value))),
        ),
      'send.again': (interaction, { value }) => sendAgain(services, interaction, cardValue.read(value)),
      'send.edit': async (interaction, { value }) => {
        await interaction.openLoading('Send files');
        await edit(services, interaction, idOf(value));
      },
      'send.continue': async (interaction, { value }) => {
        await interaction.openLoading('Send files');
        await takeOver(services, interaction.actor, idOf(value));
        await interaction.update(withNewFileField(await formOf(services, interaction, [])));
      },
      'send.others': (interaction, { value }) => sendToOthers(services, interaction, idOf(value)),
      'send.more': async (interaction, { value }) => {
        const [choice, id = ''] = value.split(' ');
        if (choice === 'others') return sendToOthers(services, interaction, id);
        await sendAgain(services, interaction, { id });
      },
      'send.ask': (interaction, { value }) => askAdmin(services, interaction, idOf(value)),
      'send.remove': async (interaction, { value }) => {
        const { id } = await removeUnexpectedAndSend(services, interaction.actor, idOf(value));
        await showTransfer(services, id);
        await interaction.reply('Sending. Those files are deleted first. The sender sees the progress.');
        await updateEnded(services, idOf(value));
      },
    },
  };
}

/** Opens the form with what an ended transfer had. */
async function edit(
  services: TransferUiServices,
  interaction: Interaction,
  id: string,
  notice?: string,
): Promise<void> {
  await restoreDraft(services, interaction.actor, id, interaction.view?.id);
  // Attached files are among the staged files there.
  const form = withNewFileField(await formOf(services, interaction, []));
  await interaction.update(notice === undefined ? form : withNotice(form, notice));
}

const deletedEvent = z.object({ file_id: z.string().min(1) });

async function openForm(
  services: TransferUiServices,
  interaction: Interaction,
  message: MessageFiles = [],
): Promise<void> {
  await openWhenReady(interaction, 'Send files', () => formOf(services, interaction, message));
}

type Reentered = Pick<SendContent, 'message' | 'expiresAfter' | 'expiryDate'> & {
  files: readonly { id: string }[];
  chosen: Chosen;
};

interface FormOptions {
  /** What was entered before. */
  entered?: Reentered;
  /** The recipient's name, as typed after the command. */
  nameWords?: readonly string[];
  /** Looks up the files as for a review: in Slack, even if there are many. */
  isFresh?: boolean;
  /** What the open form has, if another desk was chosen in it. */
  filled?: Filled;
}

/**
 * Offers the message's files and the staged files. Ticks the files that were entered before; otherwise the message's
 * files or, without any, the staged files that weren't removed in a form.
 */
async function formOf(
  services: TransferUiServices,
  interaction: Interaction,
  message: MessageFiles,
  { entered, nameWords = [], isFresh = false, filled }: FormOptions = {},
): Promise<ModalView> {
  const { settings } = await expectAllowed(services, interaction.actor, 'send');
  const draft = await readDraft(services, interaction.actor);
  const extra = message.map(({ id }) => id);
  const fileIds = [...new Set([...extra, ...draft.staged])];
  const lookedUp = await lookUpFiles(services, interaction.actor.workspace, fileIds, {
    files: draft.files,
    isReview: isFresh,
  });
  const offered = lookedUp.flatMap(({ id, file }) =>
    file === undefined ? [] : [{ id, name: file.name, size: file.size }],
  );
  const problems = lookedUp.flatMap(({ id, file, name, problem }): Problem[] => {
    if (file !== undefined) return [];
    const attached = message.find((messageFile) => messageFile.id === id);
    const isInaccessible = problem === undefined && attached !== undefined;
    const text = isInaccessible ? inaccessibleFile(attached.name).message : problemText({ name, problem });
    return [{ text, staged: draft.staged.includes(id) ? { id, name } : undefined }];
  });
  const typed = await typedRecipient(services, interaction.actor, nameWords);
  const lists = await contactsOf(services, interaction.actor);
  const { options, tooMany } = presetOptions(lists, entered?.chosen ?? typed.chosen ?? draft);
  const ticked = extra.length > 0 ? extra : fileIds.filter((id) => !draft.unticked.includes(id));
  return sendView({
    recipients: options,
    offered,
    ticked: entered === undefined ? ticked : entered.files.map(({ id }) => id),
    message: entered?.message ?? draft.message ?? settings.message,
    expiresAfter: entered?.expiresAfter ?? draft.expiresAfter ?? settings.expiryDefault,
    expiryDate: entered === undefined ? draft.expiryDate : entered.expiryDate,
    expiry: settings,
    extra,
    from: await deskChoice(services, interaction.actor),
    missing: filled && (await findChoice(services, interaction.actor, filled)).problem?.message,
    pauses: await pausesIn(services.store).read(interaction.actor),
    problems: [
      ...(typed.notice === undefined ? [] : [{ text: typed.notice }]),
      ...(tooMany === 0 ? [] : [{ text: tooManyText(tooMany) }]),
      ...problems,
    ],
  });
}

/** Shows the form for the desk that was chosen in From, with everything that was typed and attached. */
async function showChosenDesk(
  services: TransferUiServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<void> {
  const { actor } = interaction;
  const before = await readSettings(services, actor);
  actor.account = await chooseDesk(services, actor, filled.choice('from'));
  const { expiryUnit } = await readSettings(services, actor);
  const isSameUnit = before.expiryUnit === expiryUnit;
  if (!isSameUnit) await changeDraft(services, actor, () => ({ expiresAfter: undefined, expiryDate: undefined }));
  const { files } = sendMetadata.read(metadata) ?? { files: [] };
  await showFrom(interaction, await formOf(services, interaction, messageFiles(files), { filled }), { isSameUnit });
}

/**
 * Puts a preset or a chosen date into the expiry field. The other fields keep their ids, so Slack keeps what was typed.
 */
async function chooseExpiry(services: TransferUiServices, interaction: Interaction, { value }: Click): Promise<void> {
  const { view, client, actor, stamped } = interaction;
  // A date that was cleared has no value.
  if (view === undefined || value === '') return;
  const { settings } = await expectAllowed(services, actor, 'send');
  const expiresAfter = expectExpiryOrDate(
    value,
    settings.expiryUnit,
    'expiresAfter',
    await services.people.zoneOf(actor),
  );
  await client.views.update({ view_id: view.id, view: stamped(formWithText(view, 'expiresAfter', value)) });
  await saveEntered(services, interaction, filledIn(view), view.private_metadata);
  await changeDraft(services, actor, () => ({ expiresAfter, expiryDate: typedDate(value, settings.expiryUnit) }));
}

/** Replaces the review with its form. Attached files are among the staged files there. */
async function goBack(services: TransferUiServices, interaction: Interaction): Promise<void> {
  const { review: reviewId, files } = confirmMetadata.read(interaction.view?.private_metadata) ?? {
    review: '',
  };
  const entered = await readEntered(services, interaction.actor, sendKind, reviewId);
  const form = await formOf(services, interaction, messageFiles(files), { entered });
  await withdrawReview(services, interaction.actor, sendKind, reviewId);
  const { view } = interaction;
  const filled = view && filledIn(view);
  const typed = { note: filled?.text('note'), plannedFor: filled?.time('plannedFor') };
  if (filled !== undefined) await changeDraft(services, interaction.actor, () => typed);
  await interaction.update(withNewFileField(form));
}

/** Removes a staged file and updates the open form. Its fields stay the same, so Slack keeps what was entered. */
async function removeStaged(services: TransferUiServices, interaction: Interaction, { value }: Click): Promise<void> {
  await unstageFiles(services, interaction.actor, [value]);
  const { files } = sendMetadata.read(interaction.view?.private_metadata) ?? { files: [] };
  await interaction.update(await formOf(services, interaction, messageFiles(files)));
  await removeStaleButtons(services, interaction.actor);
}

async function openWithMessage(
  services: TransferUiServices,
  interaction: Interaction,
  message: ShortcutMessage | undefined,
): Promise<void> {
  const files = message?.files ?? [];
  if (files.length === 0) {
    await interaction.openLoading('Send files');
    throw messageWithoutFiles();
  }
  await openForm(services, interaction, files);
}

/** Opens the form with files from a watched channel, and deletes the offer. */
async function openOffered(services: TransferUiServices, interaction: Interaction, { value }: Click): Promise<void> {
  const { files } = offerValue.read(value) ?? { files: [] };
  if (files.length === 0) throw buttonExpired();
  await openForm(
    services,
    interaction,
    files.map((id) => ({ id, name: null })),
  );
  await interaction.dismiss();
}

/** Replaces the form with the review. What was entered stays a draft until it is confirmed. */
async function review(
  services: TransferUiServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<FormAnswer> {
  await expectAllowed(services, interaction.actor, 'send');
  expectShown(filled, interaction.actor);
  const entered = await readAndSaveForm(services, interaction, filled, metadata);
  const review = await prepareSend(services, interaction.actor, entered).catch((error: unknown) => {
    throw mapFieldErrors(error, (fieldError) => withFileNames(filled.labels('staged'), fieldError));
  });
  const { files } = sendMetadata.read(metadata) ?? { files: [] };
  const { note, plannedFor } = await readDraft(services, interaction.actor);
  return {
    view: { ...(await reviewOf(services, interaction, review, { files, note, plannedFor })), notify_on_close: true },
  };
}

/** Adds file names to an error, by file id. Slack returns no name for a deleted or refused file. */
function withFileNames(labels: ReadonlyMap<string, string>, error: DroplineError): DroplineError {
  if (!isDroplineError(error, 'not-found', 'invalid') || error.field !== 'files') return error;
  const names = error.names.flatMap((id) => labels.get(id) ?? []);
  return names.length === 0 ? error : fileProblem(error, names, andList(names));
}

async function reviewOf(services: TransferUiServices, interaction: Interaction, review: Review, form?: ReviewedForm) {
  const { expiryUnit } = await readSettings(services, interaction.actor);
  return reviewView(review, expiryUnit, form);
}

async function confirm(
  services: TransferUiServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<FormAnswer> {
  const { review: reviewId } = confirmMetadata.read(metadata) ?? { review: '' };
  const options = { note: filled.text('note'), form: interaction.view?.id, plannedFor: filled.time('plannedFor') };
  const confirmed = await confirmSend(services, interaction.actor, reviewId, options);
  return { view: confirmedView(sendKind.texts, confirmed), after: confirmed.id };
}

/** Withdraws a closed review. If it was confirmed and Slack only lost our answer, shows the transfer's card instead. */
async function withdraw(services: TransferUiServices, interaction: Interaction, metadata: string): Promise<void> {
  const { review: reviewId } = confirmMetadata.read(metadata) ?? { review: '' };
  if (await tryWithdrawReview(services, interaction.actor, reviewId)) await offerToContinue(services, interaction);
  else await afterConfirming(services, interaction, reviewId);
}

/** Shows the transfer's card, and removes buttons that no longer work. */
async function afterConfirming(services: TransferUiServices, interaction: Interaction, id: string): Promise<void> {
  const { after } = (await transfersIn(services.store).read(id, 'send')) ?? {};
  await showConfirmed(services, id);
  await removeStaleButtons(services, interaction.actor);
  if (after !== undefined) await updateEnded(services, after);
  await followInDialog(services, interaction, id);
}

async function sendAgain(
  services: TransferUiServices,
  interaction: Interaction,
  { id, without = [] }: { id: string; without?: number[] } = { id: '' },
): Promise<void> {
  await openWhenReady(interaction, 'Review', async () => {
    await expectAllowed(services, interaction.actor, 'send');
    const { files } = await readRepeatable(services, interaction.actor, sendKind, id);
    const names = files.flatMap(({ name }, index) => (without.includes(index) ? [name] : []));
    const labels = new Map(files.map((file) => [file.id, file.name]));
    const review = await prepareAgain(services, interaction.actor, id, { without: names }).catch((error: unknown) => {
      throw mapFieldErrors(error, (fieldError) => withFileNames(labels, fieldError));
    });
    return reviewOf(services, interaction, review);
  });
}

/** Opens the form with the files of an earlier transfer, but without its message, which was for other people. */
async function sendToOthers(services: TransferUiServices, interaction: Interaction, id: string): Promise<void> {
  await openWhenReady(interaction, 'Send files', async () => {
    const { settings } = await expectAllowed(services, interaction.actor, 'send');
    const earlier = await readRepeatable(services, interaction.actor, sendKind, id);
    const files = earlier.files.slice(0, maxOffered);
    const { message, expiryDefault } = settings;
    const chosen = { recipients: [], groups: [] };
    const entered = { files, message, expiresAfter: expiryDefault, chosen };
    return formOf(services, interaction, files, { entered, isFresh: true });
  });
}

function idOf(value: string): string {
  const id = cardValue.read(value)?.id;
  if (id === undefined) throw buttonExpired();
  return id;
}
