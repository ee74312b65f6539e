import { canRead, messageBlocks } from '../client/surface.ts';
import { initialValues } from '../client/values.ts';
import type { Channel, Client, Message, Team, User, View } from '../model.ts';
import { topModal } from '../views.ts';
import { channelOf, clientOf, type World } from '../world.ts';
import { drawBlocks } from './blocks.ts';
import { createSheet, type Screen, type Sheet } from './screen.ts';
import { rendered, textOf } from './words.ts';

/** What this person sees: the confirmation dialog, or the open form, or the conversation or Home tab. */
export function drawScreen(world: World, team: Team, user: User): Screen {
  const sheet = createSheet();
  const client = clientOf(team, user.id);
  const modal = topModal(team, user.id);
  if (client.confirmation) drawConfirmation(sheet, client.confirmation);
  else if (modal) drawModal(sheet, team, modal);
  else drawDestination(sheet, world, team, user, client);
  sheet.startItem('notices');
  for (const notice of client.notices) sheet.write(`⚠ ${notice}`);
  return { lines: sheet.lines };
}

function drawConfirmation(sheet: Sheet, { title, text, confirm, deny }: NonNullable<Client['confirmation']>): void {
  sheet.startItem('confirmation');
  sheet.write(title);
  sheet.write(text);
  sheet.write(`[${deny}] [${confirm}]`, [
    { kind: 'deny', label: deny },
    { kind: 'confirm', label: confirm },
  ]);
}

function drawModal(sheet: Sheet, team: Team, view: View): void {
  sheet.startItem(view.id);
  sheet.write(`== ${textOf(team, view.body.title)} ==`);
  const surface = { kind: 'view', viewId: view.id } as const;
  drawBlocks(sheet, { team, surface, values: view.values }, view.body.blocks, view.errors);
  sheet.startBlock();
  const close = textOf(team, view.body.close) || 'Cancel';
  const submit = textOf(team, view.body.submit);
  sheet.write(submit === '' ? `[${close}]` : `[${close}] [${submit}]`, [
    { kind: 'close', label: close },
    ...(submit === '' ? [] : [{ kind: 'submit', label: submit } as const]),
  ]);
}

function drawDestination(sheet: Sheet, world: World, team: Team, user: User, { destination }: Client): void {
  sheet.startItem('place');
  if (!destination) sheet.write('== nowhere ==');
  else if (destination.kind === 'home') drawHome(sheet, world, team, user);
  else drawChannel(sheet, team, user, channelOf(team, destination.channelId));
}

function drawHome(sheet: Sheet, world: World, team: Team, user: User): void {
  sheet.write(`== Home of ${world.app.manifest.display_information.name} ==`);
  const view = team.views.get(team.homes.get(user.id) ?? '');
  if (!view) {
    sheet.write('(nothing here yet)');
    return;
  }
  sheet.startItem(view.id);
  const surface = { kind: 'view', viewId: view.id } as const;
  drawBlocks(sheet, { team, surface, values: view.values }, view.body.blocks);
}

/** Replies are below their parent, as if every thread were open. */
function drawChannel(sheet: Sheet, team: Team, user: User, channel: Channel): void {
  sheet.write(`== ${channelTitle(team, channel, user)}${channel.archived ? ' (archived)' : ''} ==`);
  const readable = channel.messages.filter((message) => canRead(channel, message, user));
  const isReply = ({ ts, threadTs }: Message) => threadTs !== undefined && threadTs !== ts;
  for (const message of readable.filter((one) => !isReply(one))) {
    drawMessage(sheet, team, user, channel, message, 0);
    const replies = readable.filter((one) => isReply(one) && one.threadTs === message.ts);
    for (const reply of replies) drawMessage(sheet, team, user, channel, reply, 1);
  }
}

export function channelTitle(team: Team, channel: Channel, user: User): string {
  if (channel.kind !== 'im') return `#${channel.name}`;
  const other = [...channel.members].find((id) => id !== user.id) ?? user.id;
  return team.users.get(other)?.name ?? other;
}

export function drawMessage(
  sheet: Sheet,
  team: Team,
  user: User,
  channel: Channel,
  message: Message,
  indent: number,
): void {
  sheet.startItem(message.ts, indent);
  const author = team.users.get(message.userId)?.name ?? message.userId;
  const marks = [
    message.ephemeralTo !== undefined && ' (only visible to you)',
    message.edited !== undefined && ' (edited)',
  ];
  sheet.write(`${author}${marks.filter(Boolean).join('')}:`);
  const surface = { kind: 'message', channelId: channel.id, ts: message.ts } as const;
  const blocks = messageBlocks(message);
  const values = clientOf(team, user.id).messageValues[message.ts] ?? initialValues(blocks, undefined);
  // If there are blocks, the text is only for notifications.
  if (!message.blocks && message.text !== '') sheet.write(rendered(team, message.text));
  for (const attachment of message.attachments ?? []) {
    for (const part of ['pretext', 'title', 'text']) {
      if (typeof attachment[part] === 'string') sheet.write(rendered(team, attachment[part]));
    }
  }
  drawBlocks(sheet, { team, surface, values }, blocks);
  sheet.startBlock();
  for (const id of message.fileIds) {
    const file = team.files.get(id);
    sheet.write(!file || file.deleted ? '(this file was deleted)' : `(file: ${file.title})`);
  }
}
