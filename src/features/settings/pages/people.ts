import type { ModalView, UsersSelect } from '@slack/types';
import { actions, type Blocks, line, list, note, type Piece, plain } from '../../../slack/blocks.ts';
import { modal } from '../../../slack/views.ts';
import type { Actor, Services } from '../../common/services.ts';
import { withDeskSwitch } from '../desks/fields.ts';
import { namedAndGone } from '../operations.ts';
import { type Access, type Action, canUse, expectAllowed, type Facts, reasonFor, rightsOf } from '../permission.ts';
import type { PeopleSetting, Settings } from '../repository.ts';
import { definitions } from '../table/definitions.ts';
import { overviewView } from '../views.ts';

export const overviewOf = async (
  services: Services,
  actor: Actor,
  settings: Settings,
  notice?: string,
): Promise<ModalView> => {
  const view = overviewView(settings, await namedAndGone(services, actor, settings), notice);
  return withDeskSwitch(services, actor, view, 'settings');
};

/** The page on which an admin chooses a person. With one: what this person can do, and why. */
export async function peopleView(services: Services, admin: Actor, person?: string): Promise<ModalView> {
  await expectAllowed(services, admin, 'admin');
  if (person === undefined) return personView();
  const actor = { ...admin, person };
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

/** What people can do, and the setting that names who can. */
const rights: [Action, string, PeopleSetting?][] = [
  ['send', 'send files', 'senders'],
  ['request', 'request files', 'requesters'],
  ['download', 'download files from the channels that they can read', 'downloaders'],
  ['contacts', 'change contacts', 'contactEditors'],
  ['approve', "approve other people's transfers", 'approvers'],
  ['trusted', 'send without the approval that other senders need', 'approvalSenders'],
  ['audit', "read the audit log and everyone's history", 'auditors'],
  ['admin', 'change settings, and everything else for admins', 'admins'],
  ['disconnect', 'disconnect this workspace'],
];

const titleOf = (setting: PeopleSetting | undefined) =>
  setting === undefined ? '' : `“${definitions[setting].title}”`;

function rightsBlocks(person: string, access: Access | undefined): Blocks {
  if (access === undefined)
    return [
      line({ user: person }, " can't use Dropline: has left, or is a guest, a bot or from another organisation."),
    ];
  const { settings, facts, may } = access;
  const isOff = (action: Action) => action === 'request' && !settings.requests;
  const [can, cannot]: [Piece[][], Piece[][]] = [[], []];
  for (const [action, text, setting] of rights) {
    if (action === 'trusted' && settings.approvalSenders.length === 0) continue;
    if (may(action) && !isOff(action)) can.push([{ bold: text }, ': ', ...reasonPieces(facts, action, setting)]);
    else if (isOff(action)) cannot.push([{ bold: text }, ': file requests are off']);
    else
      cannot.push([
        { bold: text },
        `: ${setting ? `not named in ${titleOf(setting)}` : 'not an admin or owner in Slack'}`,
      ]);
  }
  return [
    ...(can.length === 0 ? [] : [line({ user: person }, ' can:'), list(can)]),
    ...(cannot.length === 0 ? [] : [line({ user: person }, " can't:"), list(cannot)]),
    ...[...facts.unknown].map((channel) => line("⚠️ Slack didn't say who is in ", { channel }, '. Try again.')),
    note('No one can approve their own transfer. Roles and channel members can be a minute old.'),
  ];
}

function reasonPieces(facts: Facts, action: Action, setting: PeopleSetting | undefined): Piece[] {
  const reason = reasonFor(facts, action);
  if (reason === undefined) return [];
  switch (reason.by) {
    case 'everyone':
      return ['everyone can'];
    case 'role':
      return ['admin or owner in Slack'];
    case 'name':
      return [reason.isAdmin ? 'additional admin' : `named in ${titleOf(setting)}`];
    case 'channel':
      return [reason.isAdmin ? 'additional admin, as member of ' : 'member of ', { channel: reason.channel }];
  }
}
