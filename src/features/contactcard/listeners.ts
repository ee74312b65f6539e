import type { ModalView } from '@slack/types';
import { type Interaction, openWhenReady } from '../../slack/interaction.ts';
import type { Routes } from '../../slack/routes.ts';
import { connectionOf } from '../common/connection.ts';
import type { Actor } from '../common/services.ts';
import type { ListenerServices } from '../common/slack-services.ts';
import { expectContact } from '../contacts/list/checks.ts';
import { contactsOf } from '../contacts/list/operations.ts';
import { presetOptions } from '../contacts/list/suggest.ts';
import type { OpenContact } from '../contacts/views.ts';
import { expectAllowed } from '../settings/permission.ts';
import { changeDraft } from '../staging/repository.ts';
import { requestView, switchedOffView } from '../transfers/request/views.ts';
import { readTransferHistory } from './operations.ts';
import { cardView } from './views.ts';

/** A contact's card. The feature `contacts` opens it. */
export async function cardOf(services: ListenerServices, actor: Actor, open: OpenContact): Promise<ModalView> {
  return cardView({ ...(await readTransferHistory(services, actor, open.contact)), ...open });
}

export function contactCardRoutes(services: ListenerServices): Routes {
  return {
    actions: {
      'contacts.send': (interaction, { value }) => sendTo(services, interaction, value),
      'contacts.request': (interaction, { value }) =>
        openWhenReady(interaction, 'Request files', () => requestForm(services, interaction, value)),
    },
  };
}

/** Opens the send form for this contact. It replaces the recipients that were entered before. */
async function sendTo(services: ListenerServices, interaction: Interaction, id: string): Promise<void> {
  await expectAllowed(services, interaction.actor, 'send');
  const { email } = expectContact(await currentContacts(services, interaction), id);
  await changeDraft(services, interaction.actor, () => ({ recipients: [email], groups: [] }));
  await services.runCommand(interaction, 'send');
}

async function requestForm(services: ListenerServices, interaction: Interaction, id: string): Promise<ModalView> {
  const { settings, isAdmin } = await expectAllowed(services, interaction.actor, 'request');
  const lists = await currentContacts(services, interaction);
  const { email } = expectContact(lists, id);
  if (!settings.requests) {
    const { credentials } = await connectionOf(services, interaction.actor);
    return switchedOffView(isAdmin, credentials.connectedBy);
  }
  const { options } = presetOptions(lists, { recipients: [email], groups: [] });
  return requestView(settings, { recipients: options, message: '', expiresAfter: settings.expiryDefault });
}

const currentContacts = (services: ListenerServices, { actor }: Interaction) =>
  contactsOf(services, actor, { fresh: true });
