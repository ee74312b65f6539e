import type { ModalView, UsersSelect } from '@slack/types';
import { actions, type Blocks, line, list, note, type Piece, plain } from '../../../slack/blocks.ts';
import { modal } from '../../../slack/views.ts';
import type { Actor, Services } from '../../common/services.ts';
import { namedAndGone } from '../operations.ts';
import { type Access, type Action, canUse, expectAllowed, reasonFor, rightsOf } from '../permission.ts';
import type { Settings } from '../repository.ts';
import { overviewView } from '../views.ts';

export const overviewOf = async (
  services: Services,
  actor: Actor,
  settings: Settings,
  notice?: string,
): Promise<ModalView> => overviewView(settings, await namedAndGone(services, actor, settings), notice);

/** The page on which an admin chooses a person. With one: what this person can do, and why. */
export async function peopleView(services: Services, admin: Actor, person?: string): Promise<ModalView> {
  await expectAllowed(services, admin, 'admin');
  if (person === undefined) return personView();
  const actor = { workspace: admin.workspace, person };
  return personView({ person, access: (await canUse(services, actor)) ? await rightsOf(services, actor) : undefined });
}

/** @param shown the person, with their rights unless they have left, are a guest or a bot */
export function personView(shown?: { person: string; access: Access | undefined }): ModalView {
  const select: UsersSelect = {
    type: 'users_select',
    action_id: 'settings.person',
    placeholder: plain(shown === undefined ? 'Choose a person' : 'Choose another person'),
  };
  const empty = [note("Choose a person to see what they can do, and why. You can't change anything here.")];
  return modal('People', [
    actions(select),
    ...(shown === undefined ? empty : rightsBlocks(shown.person, shown.access)),
  ]);
}

const actionTexts: [Action, string][] = [
  ['send', 'send files'],
  ['request', 'request files'],
  ['download', 'download files from the channels that they can read'],
  ['contacts', 'change contacts'],
  ['approve', "approve other people's transfers"],
  ['trusted', 'send without the approval that other senders need'],
  ['audit', "read the audit log and everyone's history"],
  ['admin', 'change settings, and everything else for admins'],
  ['disconnect', 'disconnect this workspace'],
];

function rightsBlocks(person: string, access: Access | undefined): Blocks {
  if (access === undefined)
    return [
      line({ user: person }, " can't use Dropline: has left, or is a guest, a bot or from another organisation."),
    ];
  const { settings, facts, may } = access;
  const actionsShown = actionTexts.filter(([action]) => action !== 'trusted' || settings.approvalSenders.length > 0);
  const texts = actionsShown.map(([action, text]): [Action, string] =>
    action === 'request' && !settings.requests ? [action, `${text} (file requests are off now)`] : [action, text],
  );
  const [can, cannot] = [true, false].map((is) => texts.filter(([action]) => may(action) === is));
  const items = can?.map(([action, text]): Piece[] => [{ bold: text }, ': ', ...reasonPieces(access, action)]) ?? [];
  return [
    ...(items.length === 0 ? [] : [line({ user: person }, ' can:'), list(items)]),
    ...(cannot === undefined || cannot.length === 0
      ? []
      : [line({ user: person }, " can't:"), list(cannot.map(([, text]) => [text]))]),
    ...[...facts.unknown].map((channel) => line("⚠️ Slack didn't say who is in ", { channel }, '. Try again.')),
    note('No one can approve their own transfer. Roles and channel members can be a minute old.'),
  ];
}

function reasonPieces({ facts }: Access, action: Action): Piece[] {
  const reason = reasonFor(facts, action);
  if (reason === undefined) return [];
  const additional = reason.isAdmin ? 'additional admin' : '';
  switch (reason.by) {
    case 'everyone':
      return ['everyone can'];
    case 'role':
      return ['admin or owner in Slack'];
    case 'name':
      return [additional || 'named in the settings'];
    case 'channel':
      return [additional && `${additional}, as `, 'member of ', { channel: reason.channel }];
  }
}
