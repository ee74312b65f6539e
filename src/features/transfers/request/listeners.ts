import type { ModalView } from '@slack/types';
import { createFieldErrors } from '../../../lib/errors.ts';
import { type Filled, filledIn } from '../../../slack/form.ts';
import { type Interaction, openWhenReady } from '../../../slack/interaction.ts';
import { permalinkOf } from '../../../slack/messages.ts';
import { formWithText } from '../../../slack/rebuilt-form.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import { withNotice } from '../../../slack/views.ts';
import { connectionOf } from '../../common/connection.ts';
import type { Chosen } from '../../contacts/list/ids.ts';
import { contactsOf } from '../../contacts/list/operations.ts';
import { findChoice, presetOptions, typedRecipient } from '../../contacts/list/suggest.ts';
import { pausesIn } from '../../pause/repository.ts';
import { addingContacts } from '../../recipients/contact/listeners.ts';
import { deskChoice, expectShown, hasMissing, showFrom } from '../../settings/desks/fields.ts';
import { expectExpiryOrDate, typedDate } from '../../settings/expiry.ts';
import { chooseDesk } from '../../settings/membership.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { readSettings } from '../../settings/repository.ts';
import { confirmedView, undoneText } from '../cards/card.ts';
import { cardState, followInDialog, showConfirmed, showTransfer } from '../cards/notify.ts';
import { tickValue } from '../checklist/card.ts';
import { readPoints, typedRequest } from '../checklist/fields.ts';
import { showChecklist } from '../checklist/notify.ts';
import { readRequest, tickPoint } from '../checklist/operations.ts';
import { buttonExpired } from '../errors.ts';
import {
  cancelTransfer,
  readEntered,
  readRepeatable,
  tryWithdrawReview,
  undoTransfer,
  withdrawReview,
} from '../lifecycle/operations.ts';
import { startNow } from '../lifecycle/planned.ts';
import { transfersIn } from '../repository.ts';
import type { TransferUiServices } from '../shown-kind.ts';
import type { RequestContent } from '../transfer.ts';
import { requestEmpty } from './errors.ts';
import { requestKind } from './kind.ts';
import { confirmRequest, type PreparedRequest, prepareRequest, prepareRequestAgain } from './operations.ts';
import { confirmView, requestMetadata, requestView, shownRequestView, switchedOffView } from './views.ts';

export function requestRoutes(services: TransferUiServices): Routes {
  const adding = addingContacts(services, {
    route: 'request.contact',
    build: (interaction, chosen, metadata) => formWith(services, interaction, chosen, metadata),
  });
  return {
    commands: {
      request: {
        usage: '[name]',
        summary: 'Request files with an upload link',
        run: (interaction, nameWords) => openRequest(services, interaction, nameWords),
      },
    },
    shortcuts: {
      'request.new': (interaction) => openRequest(services, interaction),
    },
    actions: {
      'request.back': (interaction) => goBack(services, interaction),
      'request.expiry': async ({ view, client, actor, stamped }, { value }) => {
        const { settings } = await expectAllowed(services, actor, 'request');
        // A date that was cleared has no value.
        if (view === undefined || value === '') return;
        expectExpiryOrDate(value, settings.expiryUnit, 'expiresAfter', await services.people.zoneOf(actor));
        await client.views.update({ view_id: view.id, view: stamped(formWithText(view, 'expiresAfter', value)) });
      },
      'request.open': (interaction) => openRequest(services, interaction),
      'request.again': (interaction, { value }) =>
        openWhenReady(interaction, 'Request files', async () =>
          reviewOf(services, interaction, await prepareRequestAgain(services, interaction.actor, value)),
        ),
      'request.show': (interaction, { value }) =>
        openWhenReady(interaction, 'Request', () => shownRequest(services, interaction, value)),
      'request.tick': (interaction, { value }) => tick(services, interaction, value),
      'request.undo': async (interaction, { value: id }) => {
        await interaction.openLoading('Request files');
        await undoTransfer(services, interaction.actor, id, interaction.view?.id);
        await showTransfer(services, id);
        const request = await readRepeatable(services, interaction.actor, requestKind, id);
        const recipients = request.recipients.map(({ email }) => email);
        const entered = { ...request, chosen: { recipients, groups: [] }, note: request.approval?.note };
        await interaction.update(withNotice(await formAgain(services, interaction, entered), undoneText));
      },
      'request.now': async (interaction, { value: id }) => {
        await startNow(services, interaction.actor, id);
        await showTransfer(services, id);
      },
      'request.cancel': async (interaction, { value }) => {
        await cancelTransfer(services, interaction.actor, value);
        await showTransfer(services, value);
      },
    },
    forms: {
      'request.form': {
        submit: (interaction, filled, metadata) => prepare(services, interaction, filled, metadata),
        entered: async (interaction, filled, metadata, at, field) => {
          const isMissing = field === 'recipients' && interaction.view !== undefined && hasMissing(interaction.view);
          if (field === 'from' || isMissing) await showChosenDesk(services, interaction, filled, metadata);
          if (field !== 'from') await adding.entered(interaction, filled, metadata, at, field);
        },
      },
      ...adding.forms,
      'request.confirm': {
        submit: (interaction, filled, id) => confirm(services, interaction, filled, id),
        after: (interaction, id) => afterConfirming(services, interaction, id),
        // If the request was confirmed and only the answer was lost, shows its card.
        closed: async ({ actor }, id) => {
          if (!(await tryWithdrawReview(services, actor, id))) await showTransfer(services, id);
        },
      },
    },
  };
}

/** @param nameWords the name of the contact to ask, as typed after the command */
function openRequest(
  services: TransferUiServices,
  interaction: Interaction,
  nameWords: readonly string[] = [],
): Promise<void> {
  return openWhenReady(interaction, 'Request files', async () => {
    const { actor } = interaction;
    const { settings, isAdmin } = await expectAllowed(services, actor, 'request');
    const { credentials } = await connectionOf(services, actor);
    if (!settings.requests) return switchedOffView(isAdmin, credentials.connectedBy);
    const pauses = await pausesIn(services.store).read(actor);
    const { chosen, notice } = await typedRecipient(services, actor, nameWords);
    const recipients = chosen === undefined ? [] : presetOptions(await contactsOf(services, actor), chosen).options;
    return requestView(settings, { recipients, notice, from: await deskChoice(services, actor) }, pauses);
  });
}

async function formWith(
  services: TransferUiServices,
  { actor }: Interaction,
  chosen: Chosen,
  metadata: string,
): Promise<ModalView> {
  const { settings } = await expectAllowed(services, actor, 'request');
  const { options } = presetOptions(await contactsOf(services, actor), chosen);
  const from = await deskChoice(services, actor);
  return requestView(settings, { ...requestMetadata.read(metadata), recipients: options, from });
}

/** Shows the form for the desk that was chosen in From, with everything that was typed. */
async function showChosenDesk(
  services: TransferUiServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<void> {
  const { actor } = interaction;
  const before = await readSettings(services, actor);
  actor.account = await chooseDesk(services, actor, filled.choice('from'));
  const { settings } = await expectAllowed(services, actor, 'request');
  const { problem } = await findChoice(services, actor, filled);
  const from = await deskChoice(services, actor);
  const entered = { ...requestMetadata.read(metadata), recipients: [], from, missing: problem?.message };
  const form = requestView(settings, entered, await pausesIn(services.store).read(actor));
  await showFrom(interaction, form, { isSameUnit: before.expiryUnit === settings.expiryUnit });
}

/** Replaces the review with its form. */
async function goBack(services: TransferUiServices, interaction: Interaction): Promise<void> {
  const { actor } = interaction;
  const id = interaction.view?.private_metadata ?? '';
  const entered = await readEntered(services, actor, requestKind, id);
  const filled = interaction.view && filledIn(interaction.view);
  const typed = { note: filled?.text('note'), plannedFor: filled?.time('plannedFor') };
  const form = await formAgain(services, interaction, entered && { ...entered, ...typed });
  await withdrawReview(services, actor, requestKind, id);
  await interaction.update(form);
}

/** The form with what was entered before. */
async function formAgain(
  services: TransferUiServices,
  { actor }: Interaction,
  entered: (RequestContent & { chosen: Chosen; note?: string }) | undefined,
): Promise<ModalView> {
  const { settings } = await expectAllowed(services, actor, 'request');
  const from = await deskChoice(services, actor);
  if (entered === undefined) return requestView(settings, { recipients: [], from });
  const { expiresAfter, expiryDate, repeats, chosen, note, plannedFor } = entered;
  const recipients = presetOptions(await contactsOf(services, actor), chosen).options;
  return requestView(settings, {
    ...typedRequest(entered),
    expiresAfter,
    expiryDate,
    repeats,
    note,
    plannedFor,
    recipients,
    from,
  });
}

async function prepare(
  services: TransferUiServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<FormAnswer> {
  const { actor } = interaction;
  await expectAllowed(services, actor, 'request');
  expectShown(filled, actor);
  const message = filled.text('message');
  const errors = createFieldErrors();
  const { chosen, problem } = await findChoice(services, actor, filled);
  if (problem !== undefined) errors.add(problem);
  const { expiryUnit } = await readSettings(services, actor);
  const zone = await services.people.zoneOf(actor);
  const expiresAfter =
    errors.check(() => expectExpiryOrDate(filled.text('expiresAfter'), expiryUnit, 'expiresAfter', zone)) ?? Number.NaN;
  const expiryDate = Number.isNaN(expiresAfter) ? undefined : typedDate(filled.text('expiresAfter'), expiryUnit);
  const points = errors.check(() => readPoints(filled.text('points'))) ?? [];
  if (message === '' && points.length === 0 && !errors.has('points')) errors.add(requestEmpty());
  const { repeats: id, ...typed } = requestMetadata.read(metadata) ?? {};
  const repeats = id === undefined ? undefined : await readRepeatable(services, actor, requestKind, id);
  const draft = { ...chosen, message, points, expiresAfter, expiryDate, repeats, errors: errors.all() };
  return {
    view: await reviewOf(services, interaction, { ...(await prepareRequest(services, actor, draft)), ...typed }),
  };
}

async function reviewOf(
  services: TransferUiServices,
  { actor }: Interaction,
  prepared: PreparedRequest & { note?: string; plannedFor?: number },
): Promise<ModalView> {
  const { expiryUnit } = await readSettings(services, actor);
  return { ...confirmView({ ...prepared, unit: expiryUnit }), notify_on_close: true };
}

async function shownRequest(
  services: TransferUiServices,
  { actor, client }: Interaction,
  id: string,
): Promise<ModalView> {
  const transfer = await readRequest(services, actor, id);
  const { locations, askedAgain, person } = transfer;
  const followUp = askedAgain && (await transfersIn(services.store).read(askedAgain.by, 'request'));
  // The card is in the requester's direct messages, which no one else can open.
  const isOwn = person === actor.person;
  const cardUrl = isOwn && locations.card !== undefined ? await permalinkOf(client, locations.card) : undefined;
  const state = await cardState(services, transfer);
  return shownRequestView(services.kinds, { ...state, transfer, followUp, cardUrl, isOwn });
}

/** Ticks off a point, and shows that where the person clicked. A job shows it on the card and in the thread. */
async function tick(services: TransferUiServices, interaction: Interaction, value: string): Promise<void> {
  const clicked = tickValue.read(value);
  if (clicked === undefined) throw buttonExpired();
  await tickPoint(services, interaction.actor, clicked);
  if (interaction.message !== undefined)
    await showChecklist(services, clicked.id, interaction.message).catch((error: unknown) =>
      services.log.warn({ ...interaction.actor, operation: 'tick off', err: error }, 'checklist not shown yet'),
    );
  if (interaction.view !== undefined) await interaction.update(await shownRequest(services, interaction, clicked.id));
}

async function confirm(
  services: TransferUiServices,
  { actor, view }: Interaction,
  filled: Filled,
  reviewId: string,
): Promise<FormAnswer> {
  const options = { note: filled.text('note'), form: view?.id, plannedFor: filled.time('plannedFor') };
  const confirmed = await confirmRequest(services, actor, reviewId, options);
  return { view: confirmedView(requestKind.texts, confirmed), after: confirmed.id };
}

async function afterConfirming(services: TransferUiServices, interaction: Interaction, id: string): Promise<void> {
  await showConfirmed(services, id);
  await followInDialog(services, interaction, id);
  await services.refreshHome(interaction.actor);
}
