import type { ModalView } from '@slack/types';
import type { Filled } from '../../slack/form.ts';
import type { FormAnswer, Routes } from '../../slack/routes.ts';
import { doneView } from '../../slack/views.ts';
import { openWhenReady, type Visit } from '../../slack/visit.ts';
import { contactsAtHand } from '../contacts/lists.ts';
import { readDraft } from '../draft.ts';
import { expectAllowed } from '../settings/permission.ts';
import type { UiServices } from '../ui-services.ts';
import { chooseReceivers, clearReceivers, expandReceivers } from './operations.ts';
import { earlierChoice, readChoice, receiverSuggestions } from './suggest.ts';
import { chosenText, chosenView, nobodyText, receiversView } from './views.ts';

export function receiversRoutes(services: UiServices): Routes {
  return {
    commands: {
      recipients: {
        usage: '[clear]',
        aliases: ['receivers'],
        summary: 'chooses who gets your next dispatch',
        run: async (visit, [word]) => {
          if (word?.toLowerCase() !== 'clear') return openWhenReady(visit, 'Receivers', () => form(services, visit));
          await clearReceivers(services, visit.actor);
          await visit.tell(nobodyText);
        },
      },
    },
    actions: {
      'receivers.clear': async (visit) => {
        await clearReceivers(services, visit.actor);
        await visit.open(doneView('Receivers', nobodyText));
      },
    },
    forms: { 'receivers.form': { submit: (visit, filled) => submit(services, visit, filled) } },
    options: { receivers: (visit, query) => receiverSuggestions(services, visit, query) },
  };
}

async function form(services: UiServices, visit: Visit): Promise<ModalView> {
  await expectAllowed(services, visit.actor, 'send');
  const [lists, draft] = await Promise.all([
    contactsAtHand(services, visit.actor.workspace),
    readDraft(services, visit.actor),
  ]);
  const { options, tooMany, gone } = earlierChoice(lists, draft);
  const isThere = (name: string) => !gone.includes(name);
  const there = { receivers: draft.receivers.filter(isThere), groups: draft.groups.filter(isThere) };
  return receiversView({ options, tooMany, gone, people: expandReceivers(lists, there) });
}

async function submit(services: UiServices, visit: Visit, filled: Filled): Promise<FormAnswer> {
  const values = filled.choices('receivers');
  if (values.length === 0) {
    await clearReceivers(services, visit.actor);
    return { view: doneView('Receivers', nobodyText), done: nobodyText };
  }
  await expectAllowed(services, visit.actor, 'send');
  const { lists, chosen } = await readChoice(services, visit.actor.workspace, values);
  await chooseReceivers(services, visit.actor, chosen);
  const people = expandReceivers(lists, chosen);
  return { view: chosenView(people), done: chosenText(people) };
}
