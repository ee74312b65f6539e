import { createFieldErrors, DroplineError } from '../../../../errors.ts';
import type { Filled } from '../../../../slack/form.ts';
import { formWithText } from '../../../../slack/form-again.ts';
import { type Interaction, openWhenReady } from '../../../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../../../slack/routes.ts';
import { connectionOf } from '../../../common/connection.ts';
import type { UiServices } from '../../../common/ui-services.ts';
import { earlierChoice, findChoice } from '../../../contacts/list/suggest.ts';
import { contactsOf } from '../../../contacts/operations.ts';
import { expectExpiryOrDate } from '../../../settings/expiry.ts';
import { expectAllowed } from '../../../settings/permission.ts';
import { readSettings } from '../../../settings/repository.ts';
import { cancelTransfer, readEntered, withdraw, withdrawReview } from '../../operations.ts';
import { transfersIn } from '../../repository.ts';
import { requestKind } from './kind.ts';
import { showRequest } from './notify.ts';
import { confirmRequest, prepareRequest } from './operations.ts';
import { confirmView, requestView, switchedOffView } from './views.ts';

export function requestRoutes(services: UiServices): Routes {
  return {
    commands: {
      request: {
        summary: 'Request files with an upload link',
        run: (interaction) => openRequest(services, interaction),
      },
    },
    actions: {
      'request.back': (interaction) => goBack(services, interaction),
      'request.expiry': async ({ view, client, actor }, { value }) => {
        await expectAllowed(services, actor, 'request');
        if (view !== undefined)
          await client.views.update({ view_id: view.id, view: formWithText(view, 'timeToLive', value) });
      },
      'request.open': (interaction) => openRequest(services, interaction),
      'request.cancel': async (interaction, { value }) => {
        await cancelTransfer(services, interaction.actor, value);
        await showRequest(services.slack, services.store, value);
      },
    },
    forms: {
      'request.form': { submit: (interaction, filled) => prepare(services, interaction, filled) },
      'request.confirm': {
        submit: (interaction, _, id) => confirm(services, interaction, id),
        after: async (_, id) => void (await showRequest(services.slack, services.store, id)),
        // If the request was confirmed and only the answer was lost, shows its card.
        closed: async ({ actor }, id) => {
          if (!(await withdraw(services, actor, id))) await showRequest(services.slack, services.store, id);
        },
      },
    },
  };
}

function openRequest(services: UiServices, interaction: Interaction): Promise<void> {
  return openWhenReady(interaction, 'Request files', async () => {
    const { settings, isAdmin } = await expectAllowed(services, interaction.actor, 'request');
    await connectionOf(services, interaction.actor.workspace);
    return settings.requests ? requestView(settings.ttl) : switchedOffView(isAdmin);
  });
}

/** Replaces the review with its form. */
async function goBack(services: UiServices, interaction: Interaction): Promise<void> {
  const { actor } = interaction;
  const id = interaction.view?.private_metadata ?? '';
  const { settings } = await expectAllowed(services, actor, 'request');
  const entered = await readEntered(services, actor, requestKind, id);
  const lists = entered === undefined ? undefined : await contactsOf(services, actor.workspace);
  const form =
    entered === undefined || lists === undefined
      ? requestView(settings.ttl)
      : requestView(settings.ttl, { ...entered, receivers: earlierChoice(lists, entered.chosen).options });
  await withdrawReview(services, actor, requestKind, id);
  await interaction.open(form);
}

async function prepare(services: UiServices, interaction: Interaction, filled: Filled): Promise<FormAnswer> {
  const { actor } = interaction;
  await expectAllowed(services, actor, 'request');
  const message = filled.text('message');
  const errors = createFieldErrors();
  if (message === '') errors.add(new DroplineError('invalid', 'Enter a message.', { field: 'message' }));
  const { chosen, problem } = await findChoice(services, actor.workspace, filled);
  if (problem !== undefined) errors.add(problem);
  const { ttl } = await readSettings(services, actor.workspace);
  const timeToLive =
    errors.check(() => expectExpiryOrDate(filled.text('timeToLive'), ttl.unit, 'timeToLive')) ?? Number.NaN;
  const prepared = await prepareRequest(services, actor, { ...chosen, message, timeToLive, errors: errors.all() });
  return { view: { ...confirmView({ ...prepared, message, timeToLive, unit: ttl.unit }), notify_on_close: true } };
}

async function confirm(services: UiServices, interaction: Interaction, reviewId: string): Promise<FormAnswer> {
  const id = await confirmRequest(services, interaction.actor, reviewId);
  const transfer = await transfersIn(services.store).read(id);
  const stateText = transfer?.state === 'approval' ? 'Waiting for approval.' : 'Sending the request.';
  return {
    closeAll: true,
    done: `${stateText} I'll update you in our direct messages.`,
    after: id,
  };
}
