import type { ModalView } from '@slack/types';
import { actions, type Blocks, button, line, moment, note, type Piece, textField } from '../../../slack/blocks.ts';
import { modal } from '../../../slack/views.ts';
import { pollFailureText } from '../../inbox/poll/views.ts';
import type { DeskHealth, listDesks } from './operations.ts';

/** The connected accounts. With one, nothing here calls it a desk. */
export function desksView({ desks, canDisconnect, canAdd }: Awaited<ReturnType<typeof listDesks>>): ModalView {
  const areSeveral = desks.length > 1;
  return modal(areSeveral ? 'Desks' : 'Connected account', [
    ...(areSeveral
      ? [note('Each desk is an account with its own contacts, channels and settings.')]
      : [note('A department can have an account of its own, with its own contacts, channels and settings.')]),
    ...desks.flatMap((desk) => deskBlocks(desk, areSeveral, canDisconnect)),
    ...(canAdd ? [actions(button('Connect another account', 'desks.add', { style: 'primary' }))] : []),
    ...(areSeveral ? [note('The audit log has the entries of all desks.')] : []),
  ]);
}

function deskBlocks(desk: DeskHealth, areSeveral: boolean, canDisconnect: boolean): Blocks {
  const { key, name, username, isLeaving } = desk;
  const accessibilityLabel = (label: string) => `${label} ${name}`;
  const of = (label: string, action: string) =>
    button(label, `${action}#${key.slice(0, 8)}`, { value: key, accessibilityLabel: accessibilityLabel(label) });
  const title: Piece[] = name === username ? [{ bold: username }] : [{ bold: name }, ` · ${username}`];
  return [
    line(...title, '\n', ...healthPieces(desk)),
    ...(isLeaving
      ? []
      : [
          actions(
            of('Change URL or key…', 'desks.reconnect'),
            ...(areSeveral ? [of('Rename…', 'desks.rename')] : []),
            ...(canDisconnect ? [of('Disconnect…', 'desks.disconnect')] : []),
          ),
        ]),
  ];
}

function healthPieces({ isLeaving, poll, hold }: DeskHealth): Piece[] {
  if (isLeaving) return ['Being disconnected.'];
  const onHold = hold !== undefined && hold.reason !== 'committing' ? ['⚠️ Sending is on hold. '] : [];
  if (poll?.lastFailure !== undefined) return [...onHold, `⚠️ ${pollFailureText(poll.lastFailure)}`];
  if (poll?.lastSuccessAt === undefined) return [...onHold, 'Not checked yet.'];
  return [...onHold, 'Last checked ', moment(poll.lastSuccessAt)];
}

export const renameView = (key: string, name: string): ModalView =>
  modal('Rename', [textField('desk', 'Name', { value: name, maxLength: 40 })], {
    id: 'desks.rename',
    submit: 'Rename',
    close: 'Cancel',
    metadata: key,
  });
