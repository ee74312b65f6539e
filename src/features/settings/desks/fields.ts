import type { HomeView, InputBlock, KnownBlock, ModalView, SectionBlock, StaticSelect } from '@slack/types';
import { actions, choiceField, missingBlockId, plain, section } from '../../../slack/blocks.ts';
import { withDeskKey } from '../../../slack/desk-key.ts';
import { shownIds, withShownIds } from '../../../slack/field-ids.ts';
import type { Filled } from '../../../slack/form.ts';
import type { Interaction } from '../../../slack/interaction.ts';
import { limits } from '../../../slack/limits.ts';
import { accountKey } from '../../../store/index.ts';
import type { Actor, Services } from '../../common/services.ts';
import { fromChanged } from '../errors.ts';
import { type DeskOfPerson, desksOf } from '../membership.ts';

/** The desks that a person can choose from, if there are several, and the key of the one that is shown. */
export interface DeskChoice {
  desks: readonly DeskOfPerson[];
  key: string;
}

/** Undefined if there is nothing to choose from. */
export async function deskChoice(
  services: Pick<Services, 'store' | 'people'>,
  actor: Actor,
): Promise<DeskChoice | undefined> {
  if (actor.account === undefined) return undefined;
  const desks = ((await desksOf(services, actor)) ?? []).filter(({ isUnknown }) => !isUnknown);
  return desks.length < 2 ? undefined : { desks, key: accountKey(actor.account) };
}

/** The first field of a form. */
export const fromField = ({ desks, key }: DeskChoice): InputBlock =>
  choiceField(
    'from',
    'From',
    desks.map((desk) => [desk.name, desk.key]),
    key,
    { reportsEntries: true },
  );

/** The list with a menu above it to switch to another desk. @param command shows the list again */
export async function withDeskSwitch<V extends ModalView | HomeView>(
  services: Pick<Services, 'store' | 'people'>,
  actor: Actor,
  view: V,
  command?: string,
): Promise<V> {
  const choice = await deskChoice(services, actor);
  if (choice === undefined) return view;
  const action = command === undefined ? 'home.refresh' : 'help.run';
  const blocks = [actions(switchMenu(choice, action, command)), ...(view.blocks as KnownBlock[])];
  return { ...view, blocks: blocks.slice(0, limits.viewBlocks) };
}

function switchMenu({ desks, key }: DeskChoice, action: string, command: string | undefined): StaticSelect {
  const options = desks.map((desk) => ({ text: plain(desk.name), value: withDeskKey(command, desk.key) }));
  const shown = options[desks.findIndex((desk) => desk.key === key)];
  return {
    type: 'static_select',
    action_id: `${action}#desk`,
    options,
    placeholder: plain('Desk'),
    ...(shown === undefined ? {} : { initial_option: shown }),
  };
}

/** The first of the labels that fits on a button with the name of the desk. Without a desk, the other label. */
export function fromDesk(desk: string | undefined, labels: readonly string[], other: string): string {
  if (desk === undefined) return other;
  return labels.map((label) => `${label} from ${desk}`).find((label) => label.length <= limits.viewButton) ?? other;
}

/** Below the recipients field: those who aren't contacts of the chosen desk. They can't be reviewed. */
export const missingBlocks = (text: string | undefined): SectionBlock[] =>
  text === undefined ? [] : [{ ...section(`⚠️ ${text} Remove or add them.`), block_id: missingBlockId }];

export const hasMissing = ({ blocks }: Pick<ModalView, 'blocks'>): boolean =>
  blocks.some(({ block_id: id }) => id === missingBlockId);

/** The form for the desk chosen in From. Slack keeps what was entered in fields whose ids stay the same. */
export async function showFrom(
  { view, client, stamped }: Interaction,
  form: ModalView,
  { isSameUnit }: { isSameUnit: boolean },
): Promise<void> {
  if (view === undefined) return;
  const { expiresAfter, ...ids } = shownIds(view);
  const kept = isSameUnit && expiresAfter !== undefined ? { ...ids, expiresAfter } : ids;
  await client.views.update({ view_id: view.id, view: stamped(withShownIds(form, kept)) });
}

/** Rejects if the form was submitted before it showed the chosen desk. */
export function expectShown(filled: Filled, { account }: Actor): void {
  const chosen = filled.choice('from');
  if (chosen !== undefined && account !== undefined && chosen !== accountKey(account)) throw fromChanged();
}
