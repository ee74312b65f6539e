import { actions, button, line } from '../../slack/blocks.ts';
import type { Filled } from '../../slack/form.ts';
import type { Visit } from '../../slack/visit.ts';
import { contactsOf } from '../contacts/operations.ts';
import { changeDraft, readDraft } from '../draft.ts';
import type { Chosen } from '../receivers/operations.ts';
import { chosenReceivers } from '../receivers/suggest.ts';
import { expectAllowed } from '../settings/permission.ts';
import type { UiServices } from '../ui-services.ts';
import type { DispatchWish } from './operations.ts';
import { sendMetadata } from './views.ts';

/** What was entered; kept as a draft until it is sent, whatever becomes of the form. */
export async function readForm(
  services: UiServices,
  visit: Visit,
  filled: Filled,
  metadata: string,
): Promise<DispatchWish> {
  const lists = await contactsOf(services, visit.actor.workspace);
  return keep(services, visit, filled, metadata, chosenReceivers(lists, filled.choices('receivers')));
}

/** A form that is closed is kept, too, and can be gone on with. */
export async function keepClosed(services: UiServices, visit: Visit, filled: Filled, metadata: string): Promise<void> {
  const { settings } = await expectAllowed(services, visit.actor, 'send');
  const earlier: Chosen = await readDraft(services, visit.actor);
  // Nobody is there to choose again, or to be told that the service does not answer.
  const chosen = await contactsOf(services, visit.actor.workspace)
    .then((lists) => chosenReceivers(lists, filled.choices('receivers')))
    .catch(() => earlier);
  const { receivers, groups, message } = await keep(services, visit, filled, metadata, chosen);
  const isNew = message !== '' && message !== settings.message;
  if (isNew || receivers.length + groups.length + filled.files('files').length > 0) await offerToContinue(visit);
}

export async function offerToContinue(visit: Visit): Promise<void> {
  const sentence = 'Nothing was sent. I have kept what you filled in.';
  await visit.write(sentence, [line(sentence), actions(button('Continue', 'send.open', { style: 'primary' }))]);
}

async function keep(
  services: UiServices,
  visit: Visit,
  filled: Filled,
  metadata: string,
  chosen: Chosen,
): Promise<DispatchWish> {
  const { files: extra } = sendMetadata.read(metadata) ?? { files: [] };
  const { tray } = await readDraft(services, visit.actor);
  // Only what the form offered: a value could be anybody's file.
  const ticked = filled.choices('tray').filter((id) => extra.includes(id) || tray.includes(id));
  const attached = filled.files('files').map(({ id }) => id);
  const message = filled.text('message');
  const timeToLive = Number(filled.text('timeToLive').replace(',', '.') || Number.NaN);
  await changeDraft(services, visit.actor, (draft) => ({
    receivers: [...chosen.receivers],
    groups: [...chosen.groups],
    message,
    // What was attached to the form, or came with a message, cannot be put into it again: it joins the tray.
    tray: [...new Set([...draft.tray, ...ticked, ...attached])],
    ...(Number.isFinite(timeToLive) ? { timeToLive } : {}),
  }));
  return { ...chosen, files: [...ticked, ...attached], message, timeToLive };
}
