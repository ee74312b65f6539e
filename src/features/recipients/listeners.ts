import type { ModalView } from '@slack/types';
import type { Filled } from '../../slack/form.ts';
import { type Interaction, openWhenReady } from '../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../slack/routes.ts';
import { doneView } from '../../slack/views.ts';
import type { ListenerServices } from '../common/slack-services.ts';
import type { Chosen } from '../contacts/list/ids.ts';
import { cachedContacts } from '../contacts/list/operations.ts';
import { presetOptions, readChoice } from '../contacts/list/suggest.ts';
import { withDeskSwitch } from '../settings/desks/fields.ts';
import { expectAllowed } from '../settings/permission.ts';
import { readDraft } from '../staging/repository.ts';
import { addingContacts } from './contact/listeners.ts';
import { chooseRecipients, clearRecipients, expandRecipients } from './operations.ts';
import { chosenText, chosenView, clearedText, recipientsView } from './views.ts';

export function recipientsRoutes(services: ListenerServices): Routes {
  const adding = addingContacts(services, {
    route: 'recipients.contact',
    build: (interaction, chosen) => createForm(services, interaction, chosen),
  });
  return {
    commands: {
      recipients: {
        usage: '[clear]',
        aliases: ['receivers'],
        summary: 'Set recipients for your next transfer',
        run: async (interaction, [argument]) => {
          if (argument?.toLowerCase() !== 'clear')
            return openWhenReady(interaction, 'Recipients', () => createForm(services, interaction));
          await clearRecipients(services, interaction.actor);
          await interaction.reply(clearedText);
        },
      },
    },
    actions: {
      'recipients.clear': async (interaction) => {
        await clearRecipients(services, interaction.actor);
        await interaction.update(doneView('Recipients', clearedText));
      },
    },
    forms: {
      'recipients.form': {
        submit: (interaction, filled) => submit(services, interaction, filled),
        entered: adding.entered,
      },
      ...adding.forms,
    },
  };
}

/** @param chosen the recipients to show, instead of those that were saved */
async function createForm(services: ListenerServices, interaction: Interaction, chosen?: Chosen): Promise<ModalView> {
  await expectAllowed(services, interaction.actor, 'send');
  const [lists, draft] = await Promise.all([
    cachedContacts(services, interaction.actor),
    readDraft(services, interaction.actor),
  ]);
  const { recipients, groups } = chosen ?? draft;
  const { options, tooMany, gone } = presetOptions(lists, { recipients, groups });
  const isPresent = (name: string) => !gone.includes(name);
  const present = { recipients: recipients.filter(isPresent), groups: groups.filter(isPresent) };
  const view = recipientsView({ options, tooMany, gone, people: expandRecipients(lists, present) });
  return withDeskSwitch(services, interaction.actor, view, 'recipients');
}

async function submit(services: ListenerServices, interaction: Interaction, filled: Filled): Promise<FormAnswer> {
  const values = filled.choices('recipients');
  if (values.length === 0) {
    await clearRecipients(services, interaction.actor);
    return { view: doneView('Recipients', clearedText), done: clearedText };
  }
  await expectAllowed(services, interaction.actor, 'send');
  const { lists, chosen } = await readChoice(services, interaction.actor, filled);
  await chooseRecipients(services, interaction.actor, chosen);
  const people = expandRecipients(lists, chosen);
  return { view: chosenView(people), done: chosenText(people) };
}
