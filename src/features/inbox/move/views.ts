import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { isDirect } from '../../../lib/conversations.ts';
import { actions, button, line, note, type Piece, section } from '../../../slack/blocks.ts';
import { codec } from '../../../slack/metadata.ts';
import { channelField, inviteHint } from '../../../slack/pickers.ts';
import type { Message } from '../../../slack/posting.ts';
import { modal } from '../../../slack/views.ts';
import { count } from '../../../slack/words.ts';
import { adminsOnly } from '../../settings/permission.ts';

export const moveMetadata = codec('move files form', z.object({ from: z.string() }));

/** Slack allows 100 blocks: two for each, and the texts. */
const maxOwners = 45;

export function ownerPieces(owner: string): Piece[] {
  if (owner === adminsOnly) return ['Files without a channel'];
  return isDirect(owner) ? ['Answers to requests by ', { user: owner }] : ['Files in ', { channel: owner }];
}

/** The channels and people that have received files. */
export function ownersView(owners: readonly string[]): ModalView {
  const omitted = owners.length - maxOwners;
  const intro =
    owners.length === 0
      ? 'No files were received yet.'
      : "If a channel is archived, or its people are gone, you can move its files to a private channel. You don't see them unless you're in that channel.";
  return modal(
    'Move files',
    [
      section(intro),
      ...owners
        .slice(0, maxOwners)
        .flatMap((owner) => [
          line(...ownerPieces(owner)),
          actions(button('Move…', `inbox.move-from#${owner}`, { value: owner })),
        ]),
      ...(omitted > 0 ? [note(`and ${count(omitted, 'more channel')}`)] : []),
    ],
    { close: 'Back' },
  );
}

export function moveForm(from: string): ModalView {
  return modal(
    'Move files',
    [
      line(...ownerPieces(from)),
      channelField('channel', 'Move to', undefined, { isPrivate: true, hint: inviteHint }),
      note(
        'I post in both channels who moved the files, and tell the other admins. Only members of the new channel see them then.',
      ),
    ],
    { id: 'inbox.move', submit: 'Move files', close: 'Cancel', metadata: moveMetadata.write({ from }) },
  );
}

/** Instead of a form whose picker would be empty: Slack offers only the private channels of the person who picks. */
export const noChannelView = (from: string): ModalView =>
  modal(
    'Move files',
    [
      line(...ownerPieces(from)),
      section(
        "There's no other private channel that both of us are in. Join or create one, type /invite @dropline there, then click Move files… again.",
      ),
    ],
    { close: 'Back' },
  );

export const movedView = (items: number): ModalView =>
  modal('Move files', [section(`✅ Moved ${count(items, 'item')}.`)]);

/** Tells the new channel. */
export function movedHereMessage(person: string): Message {
  const predicate = 'moved received files here.';
  return {
    text: `An admin ${predicate}`,
    blocks: [line({ user: person }, ` ${predicate}`), actions(button('Inbox', 'inbox.open'))],
  };
}

/** Tells the earlier channel, without the name of the new one. */
export function movedAwayMessage(person: string): Message {
  const predicate = 'moved the files that were received here to a private channel.';
  return { text: `An admin ${predicate}`, blocks: [line({ user: person }, ` ${predicate}`)] };
}
