import { z } from 'zod';
import { line } from '../../slack/blocks.ts';
import { doneView, modal } from '../../slack/views.ts';
import { count, escapeMrkdwn } from '../../slack/words.ts';
import type { Store } from '../../store/index.ts';
import type { EditOutcome } from '../services.ts';
import type { SlackSide } from '../ui-services.ts';

/** The modal in which somebody waits for the end of an edit. */
const waiting = z.object({ view: z.string() });
const waitingMs = 3_600_000;

const waitingOf = ({ drawer }: Pick<Store, 'drawer'>) => drawer('edit-view', waiting);

export function waitInView(store: Store, workspace: string, edit: string, view: string): Promise<void> {
  return waitingOf(store).set(workspace, { view }, { name: edit, ttlMs: waitingMs });
}

/** Shows how an edit ended where its author waits; in a direct message if he has closed it, or if it failed. */
export async function tellContactsEdited(
  slack: SlackSide,
  store: Store,
  { workspace, id, person }: { workspace: string; id: string; person: string },
  outcome: EditOutcome,
): Promise<void> {
  const client = await slack.clientOf(workspace);
  const text = outcomeText(outcome);
  const place = await waitingOf(store).get(workspace, id);
  const isShown =
    place !== undefined &&
    (await client.views.update({ view_id: place.view, view: doneView('Contacts', text) }).then(
      () => true,
      () => false, // closed meanwhile
    ));
  if (isShown && outcome.state === 'done') return;
  await client.chat.postMessage({ channel: person, text: escapeMrkdwn(text), blocks: [line(text)] });
}

export function outcomeText(outcome: EditOutcome): string {
  if (outcome.state === 'failed') return `⚠️ The contacts were not changed. ${outcome.sentence}`;
  const { added, updated, removed, mended } = outcome;
  const parts = [
    added > 0 ? `${count(added, 'contact')} added` : '',
    updated > 0 ? `${count(updated, 'contact')} changed` : '',
    removed > 0 ? `${count(removed, 'contact')} removed` : '',
  ].filter((part) => part !== '');
  const said = parts.length === 0 ? 'Nothing had to be changed.' : `Done: ${parts.join(', ')}.`;
  return mended.length === 0 ? said : `${said} Missing on the service and put back: ${mended.join(', ')}.`;
}

export const savingView = () => modal('Contacts', [line('Saving …')]);
